using MqttCheck.Captures.Messages;
using MqttCheck.Clients;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Exchanges;

/// <summary>The behaviour of a client, as far as a profile can say it. Times are nanoseconds since 1970.</summary>
internal sealed class ClientTrace
{
    /// <summary>How many times of publications are kept.</summary>
    public const int MostTimes = 32;

    private const int MostTopics = 4096;
    private const int MostFanOuts = 64;
    private const int MostQuestions = 64;
    private const long BirthNanoseconds = 2_000_000_000;

    private readonly Queue<long> _questions = [];
    private readonly List<(long Time, double WaitMilliseconds)> _births = [];
    private long? _connected,
        _online,
        _left,
        _latest,
        _latestPublish;
    private bool _hasNoBirth;
    private int _published;

    /// <summary>How many messages of each kind it sent.</summary>
    public long[] Sent { get; } = new long[MessageKinds.Count];

    /// <summary>
    /// The waits before each kind of message, in milliseconds: from an answer or message to the next. That before the
    /// first publication of a connection is not among them.
    /// </summary>
    public Sample[] Waits { get; } = [.. Enumerable.Range(0, MessageKinds.Count).Select(_ => new Sample())];

    /// <summary>The waits before the first publication of a connection, in milliseconds.</summary>
    public Sample FirstWaits { get; } = new();

    /// <summary>The message that it publishes each time it has connected, and at no other time; or null.</summary>
    public BirthMessage? Birth { get; private set; }

    /// <summary>The times from one publication to the next on a connection, in milliseconds.</summary>
    public Sample Intervals { get; } = new();

    /// <summary>The times of its first publications.</summary>
    public List<long> Times { get; } = [];

    /// <summary>The sizes of its payloads, in bytes.</summary>
    public Sample Sizes { get; } = new();

    /// <summary>How many publications had each quality of service.</summary>
    public long[] PublishQos { get; } = new long[3];

    /// <summary>How many publications the broker was to keep.</summary>
    public long Retained { get; private set; }

    /// <summary>How many publications reached how many receivers.</summary>
    public Dictionary<int, long> FanOut { get; } = [];

    /// <summary>The topics that it published to.</summary>
    public HashSet<SeenTopic> Published { get; } = [];

    /// <summary>The topics that it received.</summary>
    public HashSet<SeenTopic> Received { get; } = [];

    /// <summary>How many messages it received.</summary>
    public long Deliveries { get; private set; }

    /// <summary>The times from what it received to what it published next, one for one, in milliseconds.</summary>
    public Sample Answers { get; } = new();

    /// <summary>The highest quality of service of what it received; null without any.</summary>
    public int? ReceivedQos { get; private set; }

    /// <summary>The filters that were granted to it, with their quality of service.</summary>
    public SortedDictionary<string, int> Filters { get; } = new(StringComparer.Ordinal);

    /// <summary>The features that its CONNECT told; null if none was seen.</summary>
    public ToldFeatures? Told { get; private set; }

    /// <summary>How long connections lasted that ended in the capture, in milliseconds.</summary>
    public Sample Stays { get; } = new();

    /// <summary>How many publications these connections had, with the one after connecting.</summary>
    public Sample PerStay { get; } = new();

    /// <summary>How long it was away before it came again, in milliseconds.</summary>
    public Sample Absences { get; } = new();

    /// <summary>How many connections ended without a DISCONNECT.</summary>
    public long Vanished { get; private set; }

    /// <summary>How long it was online, in seconds.</summary>
    public double OnlineSeconds { get; private set; }

    /// <summary>How many messages it sent.</summary>
    public long Messages => Sent.Sum();

    /// <summary>When its first CONNECT passed; null if none did.</summary>
    public long? FirstConnected { get; private set; }

    /// <summary>When its last connection ended that did; null if none has.</summary>
    public long? LeftAt => _left;

    /// <summary>A connection that had begun before the capture was this client's too.</summary>
    /// <param name="before">Its behaviour on that connection.</param>
    public void Continue(ClientTrace before)
    {
        OnlineSeconds += before.OnlineSeconds;
        if (FirstConnected is { } again && before.LeftAt is { } left)
            Absences.Add(Math.Max(0, again - left) / 1e6);
    }

    /// <summary>A CONNECT passed.</summary>
    public void Connected(ConnectPacket connect, long time)
    {
        FirstConnected ??= time;
        Left(time);
        Told = ToldFeatures.Of(connect, Told);
        Sent[(int)MessageKind.Connect]++;
        if (_left is { } left)
            Absences.Add(Math.Max(0, time - left) / 1e6);
        _connected = _online = _latest = time;
        _latestPublish = null;
        _published = 0;
        _questions.Clear();
    }

    /// <summary>A publication passed.</summary>
    public void Publish(SeenTopic topic, in MessageHead head, long time)
    {
        Begin(time);
        _published++;
        var isFirst = _latestPublish is null;
        if (IsBirth(topic, time))
        {
            Birth = new(topic, head.PayloadLength, (int)head.Qos, head.IsRetained, (Birth?.Count ?? 0) + 1);
            if (_births.Count < MostTimes)
                _births.Add((time, Math.Max(0, time - (_latest ?? time)) / 1e6));
            _connected = null;
            _latest = time;
            return;
        }
        if (topic == Birth?.Topic)
            ForgetBirth();
        if (_latest is { } latest)
            (isFirst ? FirstWaits : Waits[(int)MessageKind.Publish]).Add(Math.Max(0, time - latest) / 1e6);
        if (_latestPublish is { } before)
            Intervals.Add(Math.Max(0, time - before) / 1e6);
        if (_questions.TryDequeue(out var question))
            Answers.Add(Math.Max(0, time - question) / 1e6);
        _latestPublish = _latest = time;
        if (Times.Count < MostTimes)
            Times.Add(time);
        Count(topic, head.PayloadLength, (int)head.Qos, head.IsRetained);
    }

    /// <summary>The message after connecting is one as all others.</summary>
    public void ForgetBirth()
    {
        _hasNoBirth = true;
        if (Birth is not { } birth)
            return;
        Birth = null;
        foreach (var (time, wait) in _births)
        {
            Times.Add(time);
            FirstWaits.Add(wait);
        }
        Times.Sort();
        for (var i = 0; i < birth.Count; i++)
            Count(birth.Topic, birth.Bytes, birth.Qos, birth.IsRetained);
    }

    /// <summary>A message passed that is neither a publication nor a CONNECT.</summary>
    public void Message(MessageKind kind, long time)
    {
        Begin(time);
        if (_latest is { } latest)
            Waits[(int)kind].Add(Math.Max(0, time - latest) / 1e6);
        Sent[(int)kind]++;
        _latest = time;
    }

    /// <summary>The broker granted a filter.</summary>
    public void Granted(string filter, QualityOfService qos) => Filters[filter] = (int)qos;

    /// <summary>The broker answered.</summary>
    public void Answered(long time) => _latest = Math.Max(_latest ?? time, time);

    /// <summary>A message was delivered to it.</summary>
    public void Delivered(SeenTopic topic, in MessageHead head, long time)
    {
        Begin(time);
        ReceivedQos = Math.Max(ReceivedQos ?? 0, (int)head.Qos);
        if (Received.Count < MostTopics)
            Received.Add(topic);
        if (head.IsRetained)
            return;
        Deliveries++;
        if (_questions.Count == MostQuestions)
            _questions.Dequeue();
        _questions.Enqueue(time);
    }

    /// <summary>One of its publications reached its receivers.</summary>
    public void Reached(int receivers)
    {
        if (FanOut.Count < MostFanOuts || FanOut.ContainsKey(receivers))
            FanOut[receivers] = FanOut.GetValueOrDefault(receivers) + 1;
    }

    /// <summary>It is there, whether or not it says anything.</summary>
    public void Begin(long time) => _online ??= time;

    /// <summary>Its connection ended.</summary>
    /// <param name="time">When.</param>
    /// <param name="isOrderly">Whether it said so.</param>
    public void Left(long time, bool isOrderly = false)
    {
        if (_online is not { } since)
            return;
        End(time);
        Vanished += isOrderly ? 0 : 1;
        // A connection that had begun before the capture lasted for longer than was seen.
        if (Sent[(int)MessageKind.Connect] > 0)
        {
            Stays.Add(Math.Max(0, time - since) / 1e6);
            PerStay.Add(_published);
        }
        _left = time;
    }

    /// <summary>The capture ended.</summary>
    public void End(long time)
    {
        if (_online is not { } since)
            return;
        OnlineSeconds += Math.Max(0, time - since) / 1e9;
        _online = _latestPublish = null;
    }

    private bool IsBirth(SeenTopic topic, long time) =>
        !_hasNoBirth
        && _latestPublish is null
        && _questions.Count == 0
        && _connected is { } connected
        && time - connected < BirthNanoseconds
        && (Birth is null || Birth.Topic == topic);

    private void Count(SeenTopic topic, int bytes, int qos, bool isRetained)
    {
        Sent[(int)MessageKind.Publish]++;
        Sizes.Add(bytes);
        PublishQos[qos]++;
        Retained += isRetained ? 1 : 0;
        if (Published.Count < MostTopics)
            Published.Add(topic);
    }
}
