using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Transport;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Tests.Transport;

/// <summary>
/// Two nodes whose messages to each other arrive at once, or are kept back. Nothing is lost while a connection lasts.
/// </summary>
internal sealed class TransportNet
{
    private readonly Side[] _sides;
    private readonly Queue<(int From, PeerMessage Message)> _wire = new();
    private ulong _incarnation = 1;
    private bool _isHeld;

    public TransportNet(TransportDesign design)
    {
        _sides = [new Side(this, 0), new Side(this, 1)];
        foreach (var side in _sides)
            side.Core = new TransportCore(side.Index, 2, design, output => new DirectCore(side.Index, 2, output), side);
        Start(0).Start(1).Connect(0).Connect(1);
    }

    public long Now { get; private set; }

    public List<long> Accepted(int node) => _sides[node].Accepted;

    public List<string> Delivered(int node) => _sides[node].Delivered;

    public TransportCounters Counters(int node) => _sides[node].Core.Counters;

    public TransportNet Start(int node) => Do(() => _sides[node].Core.Start(_incarnation++, Now));

    public TransportNet Connect(int node) => Do(() => _sides[node].Core.LinkUp(1 - node, Now));

    public TransportNet Disconnect(int node) => Do(() => _sides[node].Core.LinkDown(1 - node, LinkEnd.Closed, Now));

    /// <summary>From now on the wire keeps all that one node says to the other.</summary>
    public TransportNet Hold() => Do(() => _isHeld = true);

    /// <summary>All that the wire keeps arrives.</summary>
    public TransportNet Release() => Do(() => _isHeld = false);

    /// <summary>The wire loses all that was on it.</summary>
    public TransportNet Lose() => Do(_wire.Clear);

    public TransportNet Subscribe(int node, string filter) => Do(() => _sides[node].Core.InterestBegan(filter, Now));

    public TransportNet Unsubscribe(int node, string filter) => Do(() => _sides[node].Core.InterestEnded(filter, Now));

    public TransportNet Publish(int node, long counter, string topic) =>
        Do(() =>
            _sides[node]
                .Core.Published(
                    new RoutedMessage
                    {
                        Origin = node,
                        Incarnation = 1,
                        Counter = counter,
                        Topic = topic,
                        Qos = QualityOfService.AtLeastOnce,
                    },
                    Now
                )
        );

    /// <summary>Lets time pass.</summary>
    public TransportNet Run(int milliseconds)
    {
        var end = Now + milliseconds * 1_000_000L;
        while (true)
        {
            while (!_isHeld && _wire.TryDequeue(out var sent))
                _sides[1 - sent.From].Core.Receive(sent.From, sent.Message, Now);
            var due = _sides.Min(side => side.Core.NextDue);
            if (due > end)
                break;
            Now = due;
            foreach (var side in _sides.Where(side => side.Core.NextDue <= Now))
                side.Core.Tick(Now);
        }
        Now = end;
        return this;
    }

    private TransportNet Do(Action act)
    {
        act();
        return this;
    }

    private sealed class Side(TransportNet net, int index) : IClusterOutput
    {
        public int Index => index;

        public TransportCore Core { get; set; } = null!;

        public List<long> Accepted { get; } = [];

        public List<string> Delivered { get; } = [];

        public void Send(int peer, in PeerMessage message) => net._wire.Enqueue((index, message));

        public void Deliver(in RoutedMessage message) => Delivered.Add($"{message.Topic} {message.Counter}");

        public void Accept(long token) => Accepted.Add(token);

        public void Note(in ClusterNote note) { }
    }
}
