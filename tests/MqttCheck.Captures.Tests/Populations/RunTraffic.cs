using System.Globalization;
using System.Text;
using MqttCheck.Captures.Populations;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;
using MqttCheck.Statistics;

namespace MqttCheck.Captures.Tests.Populations;

/// <summary>Runs groups of clients with a broker of its own, in virtual time, and captures their packets.</summary>
internal sealed class RunTraffic
{
    private readonly Talk _talk = new();
    private readonly WireTraffic _traffic = new();
    private readonly PriorityQueue<Action, (long, int)> _agenda = new();
    private readonly List<RunClient> _clients = [];
    private readonly long _end;
    private RandomStream _random;
    private int _ports = 10_000,
        _events;

    private RunTraffic(IEnumerable<RunGroup> groups, double seconds, ulong seed)
    {
        _random = RandomStream.For(seed);
        _end = WireTraffic.Start + (long)(seconds * 1e9);
        foreach (var group in groups)
        {
            for (var i = 0; i < group.Clients; i++)
            {
                var client = new RunClient(group, string.Create(CultureInfo.InvariantCulture, $"{group.Name}-{i:000}"));
                _clients.Add(client);
                At(WireTraffic.Start + (long)(_random.NextDouble() * 300e6), () => Connect(client));
            }
        }
        while (_agenda.TryDequeue(out var action, out var key) && key.Item1 < _end)
        {
            _traffic.Wait(Math.Max(0, (key.Item1 - _traffic.Now) / 1000));
            action();
        }
    }

    /// <summary>The summary of the capture.</summary>
    /// <param name="groups">The clients.</param>
    /// <param name="seconds">How long they run.</param>
    /// <param name="seed">The seed of their draws.</param>
    /// <param name="skip">The part of the packets that passed before the capture began.</param>
    /// <param name="keepsNames">Whether names are kept.</param>
    public static (Turned Turned, RunTraffic Run) Capture(
        IEnumerable<RunGroup> groups,
        double seconds,
        ulong seed = 1,
        double skip = 0,
        bool keepsNames = true
    )
    {
        var run = new RunTraffic(groups, seconds, seed);
        var packets = run._traffic.Packets;
        var traffic = run._traffic.With(packets.Skip((int)(packets.Count * skip)));
        return (Turned.Of(traffic.PcapNg(), request => request with { KeepsNames = keepsNames }), run);
    }

    /// <summary>The groups of a capture.</summary>
    public static FoundPopulation Found(
        IEnumerable<RunGroup> groups,
        double seconds,
        ulong seed = 1,
        double skip = 0
    ) => Capture(groups, seconds, seed, skip).Turned.Summary.Population;

    /// <summary>The mean time between the publications of the clients of a group, in milliseconds.</summary>
    public double MeanInterval(RunGroup group) =>
        _clients.Where(client => client.Group == group).SelectMany(client => client.Intervals).Average();

    private void At(long time, Action action) => _agenda.Enqueue(action, (time, _events++));

    private void After(double milliseconds, Action action) => At(_traffic.Now + (long)(milliseconds * 1e6), action);

    private void Connect(RunClient client)
    {
        var group = client.Group;
        client.Link = _traffic.Connection(_ports++).Open();
        client.Sent = 0;
        client.Latest = null;
        var will = group.Birth is { } birth
            ? new WillMessage(
                client.Named(birth),
                MqttCheck.Protocol.Bytes.FromText("gone"),
                QualityOfService.AtLeastOnce,
                true
            )
            : null;
        Send(
            client,
            new ConnectPacket
            {
                ProtocolVersion = ProtocolVersion.V311,
                ClientId = client.Name,
                CleanStart = group.IsClean,
                KeepAliveSeconds = (ushort)group.KeepAliveSeconds,
                Will = will,
            }
        );
        client.Link.Send(false, _talk.Connack());
        if (group.Birth is not null)
            Publish(client, client.Named(group.Birth), 4, 1, isRetained: true);
        if (group.Filters.Length > 0)
        {
            client.Link.Send(true, _talk.Subscribe(1, [.. group.Filters.Select(client.Named)]));
            client.Link.Send(false, _talk.Suback(1, group.Filters.Length));
            client.IsSubscribed = true;
        }
        if (group.Topic is null || group.Answer is not null)
            return;
        var first = group.Every.Draw(ref _random);
        var isAtOnce = group.IsSimultaneous;
        var period = group.Every.Mean;
        var sinceStart = (_traffic.Now - WireTraffic.Start) / 1e6;
        After(isAtOnce ? period * 2 - sinceStart % period : first * _random.NextDouble(), () => Report(client));
    }

    private void Report(RunClient client)
    {
        var group = client.Group;
        var bytes = group.SmallestBytes + _random.NextInt(group.LargestBytes - group.SmallestBytes + 1);
        if (client.Latest is { } latest)
            client.Intervals.Add((_traffic.Now - latest) / 1e6);
        client.Latest = _traffic.Now;
        var due = _traffic.Now + (long)(group.Every.Draw(ref _random) * 1e6);
        Publish(client, client.Named(group.Topic!), bytes, group.Qos, group.IsRetained);
        client.Sent++;
        if (group.Visits is { } visits && client.Sent == visits.Messages)
        {
            client.Link!.Send(true, _talk.Disconnect()).Close(true).Close(false);
            client.Link = null;
            client.IsSubscribed = false;
            After(visits.Away.Draw(ref _random), () => Connect(client));
            return;
        }
        At(due, () => Report(client));
    }

    private void Publish(RunClient client, string topic, int bytes, int qos, bool isRetained)
    {
        var payload = Convert.ToString(_events++, CultureInfo.InvariantCulture)!.PadLeft(bytes, '.')[..bytes];
        var id = qos == 0 ? 0 : ++client.Id;
        client.Link!.Send(true, _talk.Publish(topic, payload, qos, id, isRetained));
        if (qos > 0)
            client.Link.Send(false, _talk.Puback(id));
        foreach (var other in _clients.Where(other => other.IsSubscribed && other.Wants(topic)))
        {
            other.Link!.Send(false, _talk.Publish(topic, payload, qos, id));
            if (qos > 0)
                other.Link.Send(true, _talk.Puback(id));
            if (other.Group.Answer is { } answer)
                After(
                    5,
                    () => Publish(other, string.Format(CultureInfo.InvariantCulture, answer, client.Name), 30, 0, false)
                );
        }
    }

    private void Send(RunClient client, Packet packet) => client.Link!.Send(true, _talk.Bytes(packet));

    private sealed class RunClient(RunGroup group, string name)
    {
        public RunGroup Group => group;

        public string Name => name;

        public TalkConnection? Link { get; set; }

        public bool IsSubscribed { get; set; }

        public int Id { get; set; } = 10;

        public int Sent { get; set; }

        public long? Latest { get; set; }

        public List<double> Intervals { get; } = [];

        public string Named(string topic) => string.Format(CultureInfo.InvariantCulture, topic, name);

        public bool Wants(string topic) =>
            group.Filters.Any(filter =>
                TopicFilter.Matches(Encoding.UTF8.GetBytes(Named(filter)), Encoding.UTF8.GetBytes(topic))
            );
    }
}
