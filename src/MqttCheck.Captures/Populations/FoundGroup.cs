using MqttCheck.Captures.Exchanges;
using MqttCheck.Clients;

namespace MqttCheck.Captures.Populations;

/// <summary>A group of clients with like behaviour, and the numbers of all of them together.</summary>
internal sealed class FoundGroup
{
    // Fewer intervals say nothing of a rhythm.
    private const int FewIntervals = 3;
    private static readonly IEnumerable<int> s_levels = [0, 1, 2];

    /// <summary>Describes a group.</summary>
    /// <param name="clients">Its clients, at least one.</param>
    /// <param name="patterns">The patterns of topics.</param>
    /// <param name="seconds">How long the capture lasted.</param>
    public FoundGroup(IReadOnlyList<SeenClient> clients, TopicPatterns patterns, double seconds)
    {
        Clients = clients;
        var traces = clients.Select(client => client.Trace).ToList();
        Sent = [.. Enumerable.Range(0, MessageKinds.Count).Select(kind => traces.Sum(trace => trace.Sent[kind]))];
        Intervals = Sample.Of(traces.Select(trace => trace.Intervals));
        Waits =
        [
            .. Enumerable
                .Range(0, MessageKinds.Count)
                .Select(kind => Sample.Of(traces.Select(trace => trace.Waits[kind]))),
        ];
        FirstWaits = Sample.Of(traces.Select(trace => trace.FirstWaits));
        Sizes = Sample.Of(traces.Select(trace => trace.Sizes));
        Answers = Sample.Of(traces.Select(trace => trace.Answers));
        Absences = Sample.Of(traces.Select(trace => trace.Absences));
        OnlineSeconds = traces.Sum(trace => trace.OnlineSeconds);
        Stays = StaysOf(traces, OnlineSeconds, seconds);
        PerStay = Sample.Of(traces.Select(trace => trace.PerStay)).Mean;
        Deliveries = traces.Sum(trace => trace.Deliveries);
        PublishQos = [.. s_levels.Select(level => traces.Sum(trace => trace.PublishQos[level]))];
        IsRetained = traces.Sum(trace => trace.Retained) * 2 > Sizes.Count;
        FanOut = FanOutOf(traces);
        Published = FoundTopics.Published(clients, patterns);
        Subscribed = FoundTopics.Subscribed(clients, patterns);
        SubscriptionQos = SubscriptionQosOf(traces);
        Birth = traces.Select(trace => trace.Birth).FirstOrDefault(birth => birth is not null);
        BirthTopic = Birth is null
            ? null
            : FoundTopics.Of(
                patterns.Of(Birth.Topic),
                [.. traces.Select(trace => trace.Birth).OfType<BirthMessage>().Select(birth => new[] { birth.Topic })]
            );
        Told = traces.Select(trace => trace.Told).FirstOrDefault(told => told is not null);
        WillTopic = Told?.Will is { } will ? patterns.OfFilter(will.Topic) : null;
        Rhythm = SharedRhythm.Of(traces, PeriodOf(traces));
        MissingSeconds = Math.Max(0, clients.Count * seconds - OnlineSeconds);
    }

    /// <summary>The clients.</summary>
    public IReadOnlyList<SeenClient> Clients { get; }

    /// <summary>The name of the group.</summary>
    public string Name { get; set; } = "";

    /// <summary>Whether the clients are those that fit nowhere.</summary>
    public bool IsRest { get; init; }

    /// <summary>The group whose messages this one answers, or null.</summary>
    public FoundGroup? Asker { get; set; }

    /// <summary>How many messages of each kind were sent.</summary>
    public IReadOnlyList<long> Sent { get; }

    /// <summary>The times from a publication of a client to its next, in milliseconds.</summary>
    public Sample Intervals { get; }

    /// <summary>The waits before each kind of message, but not before the first publication, in milliseconds.</summary>
    public IReadOnlyList<Sample> Waits { get; }

    /// <summary>The waits before the first publication of a connection, in milliseconds.</summary>
    public Sample FirstWaits { get; }

    /// <summary>The sizes of payloads, in bytes.</summary>
    public Sample Sizes { get; }

    /// <summary>The times from a message received to one published, in milliseconds.</summary>
    public Sample Answers { get; }

    /// <summary>How long connections lasted, in milliseconds; null where clients stay.</summary>
    public Sample? Stays { get; }

    /// <summary>How many publications a connection had that ended, with a first one; NaN without any.</summary>
    public double PerStay { get; }

    /// <summary>How long clients were away before they came again, in milliseconds.</summary>
    public Sample Absences { get; }

    /// <summary>How long all clients together were online.</summary>
    public double OnlineSeconds { get; }

    /// <summary>How long all clients together were away.</summary>
    public double MissingSeconds { get; }

    /// <summary>How many messages the clients received.</summary>
    public long Deliveries { get; }

    /// <summary>How many publications had each quality of service.</summary>
    public IReadOnlyList<long> PublishQos { get; }

    /// <summary>Whether the broker keeps most publications.</summary>
    public bool IsRetained { get; }

    /// <summary>How many receivers publications had, and the share that had so many; the most frequent first.</summary>
    public IReadOnlyList<(int Receivers, double Share)> FanOut { get; }

    /// <summary>The topics that the clients publish to.</summary>
    public IReadOnlyList<FoundTopics> Published { get; }

    /// <summary>The topics and filters that the clients are subscribed to.</summary>
    public IReadOnlyList<FoundTopics> Subscribed { get; }

    /// <summary>
    /// The quality of service of subscriptions; null without any. Where no SUBSCRIBE was seen it is at least that of
    /// what was received.
    /// </summary>
    public int? SubscriptionQos { get; }

    /// <summary>The message that clients publish each time they have connected, or null.</summary>
    public BirthMessage? Birth { get; }

    /// <summary>Its topics, or null.</summary>
    public FoundTopics? BirthTopic { get; }

    /// <summary>The features that the clients told as they connected; null if none was seen to connect.</summary>
    public ToldFeatures? Told { get; }

    /// <summary>The pattern of the topic of the will, or null.</summary>
    public string? WillTopic { get; }

    /// <summary>The rhythm in which all clients publish at once; null if they do not.</summary>
    public SharedRhythm? Rhythm { get; }

    /// <summary>How many publications a client sends in a second while it is online.</summary>
    public double PublicationsPerSecond => OnlineSeconds > 0 ? Sizes.Count / OnlineSeconds : 0;

    // A client that stayed for most of the capture may stay for ever.
    private static Sample? StaysOf(List<ClientTrace> traces, double onlineSeconds, double seconds)
    {
        var stays = Sample.Of(traces.Select(trace => trace.Stays));
        return stays.Count * 2 >= traces.Count && onlineSeconds / stays.Count < seconds / 2 ? stays : null;
    }

    // Clients that come for one message have an interval from one visit to the next. NaN where there is no period.
    private double PeriodOf(List<ClientTrace> traces)
    {
        if (Stays is null)
            return Intervals.Count >= FewIntervals ? Intervals.Mean : double.NaN;
        if (Math.Abs(PerStay - 1) > .01)
            return double.NaN;
        var steps = traces
            .SelectMany(trace => trace.Times.Zip(trace.Times.Skip(1), (one, next) => next - one))
            .ToList();
        return steps.Count >= FewIntervals ? steps.Average() / 1e6 : double.NaN;
    }

    private static int? SubscriptionQosOf(List<ClientTrace> traces)
    {
        var granted = traces.SelectMany(trace => trace.Filters.Values).Select(qos => (int?)qos).Max();
        return granted ?? traces.Max(trace => trace.ReceivedQos);
    }

    private static List<(int, double)> FanOutOf(List<ClientTrace> traces)
    {
        var counts = new SortedDictionary<int, long>();
        foreach (var (receivers, count) in traces.SelectMany(trace => trace.FanOut))
            counts[receivers] = counts.GetValueOrDefault(receivers) + count;
        double all = counts.Values.Sum();
        return [.. counts.OrderByDescending(pair => pair.Value).Select(pair => (pair.Key, pair.Value / all))];
    }
}
