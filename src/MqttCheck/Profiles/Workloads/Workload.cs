using System.Diagnostics;
using System.Globalization;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Profiles.Workloads;

/// <summary>
/// A load by messages: who publishes what to whom, when, and with which guarantees. Unlike a <see cref="UsageProfile"/>
/// its clients only publish or only receive.
/// </summary>
internal sealed record Workload
{
    /// <summary>The most clients of a run, publishers and subscribers together.</summary>
    public const int MostClients = 60_000;

    /// <summary>The highest rate, in messages per second.</summary>
    public const double HighestRate = 10_000_000;

    /// <summary>The name in tables and file names.</summary>
    public required string Name { get; init; }

    /// <summary>One sentence for people.</summary>
    public string Description { get; init; } = "";

    /// <summary>Who publishes to whom. Default pairs.</summary>
    public WorkloadShape Shape { get; init; }

    /// <summary>How many clients publish, at least 1. Pairs have as many subscribers.</summary>
    public int Publishers { get; init; } = 100;

    /// <summary>How many clients subscribe, at least 1.</summary>
    public int Subscribers { get; init; } = 100;

    /// <summary>The rule by which messages are sent. Default the closed loop.</summary>
    public ArrivalKind Arrivals { get; init; }

    /// <summary>
    /// The rate of all publishers together in an open loop, above 0 .. <see cref="HighestRate"/>; unused in a closed
    /// one.
    /// </summary>
    public double MessagesPerSecond { get; init; } = 1000;

    /// <summary>
    /// How many messages a publisher may have in flight, 1 .. 65535: sent and not yet complete. Default 10.
    /// </summary>
    public int InFlight { get; init; } = 10;

    /// <summary>The quality of service of publications. Default 1.</summary>
    public QualityOfService Qos { get; init; } = QualityOfService.AtLeastOnce;

    /// <summary>The QoS of the second half of the publishers; null, as by default, for that of all.</summary>
    public QualityOfService? SecondQos { get; init; }

    /// <summary>The quality of service of subscriptions. Default 1.</summary>
    public QualityOfService SubscribeQos { get; init; } = QualityOfService.AtLeastOnce;

    /// <summary>The protocol version, or null for the newest that the broker speaks.</summary>
    public ProtocolVersion? Version { get; init; }

    /// <summary>
    /// Whether sessions of subscribers outlive their connections. MQTT 3.1.1: CleanSession 0; MQTT 5: a session expiry
    /// interval.
    /// </summary>
    public bool PersistentSubscribers { get; init; }

    /// <summary>The payload of messages. Default 100 bytes.</summary>
    public LoadPayload Payload { get; init; } = LoadPayload.OfSize(100);

    /// <summary>The payload of counted warm-up messages, or null for the same.</summary>
    public LoadPayload? WarmUpPayload { get; init; }

    /// <summary>
    /// The topic of a publisher, or empty for the usual one: a text with the places that <see cref="WorkloadTopics"/>
    /// fills.
    /// </summary>
    public string Topic { get; init; } = "";

    /// <summary>The filter of a subscriber, or empty for the usual one.</summary>
    public string Filter { get; init; } = "";

    /// <summary>The warm-up before the messages that count. Default one second.</summary>
    public LoadWarmUp WarmUp { get; init; } = LoadWarmUp.Lasting(TimeSpan.FromSeconds(1));

    /// <summary>How long messages that count are sent, up to a day. Default 10 s.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>A time in which an open loop has another rate; null for none.</summary>
    public LoadBurst? Burst { get; init; }

    /// <summary>The share of subscribers that go offline for a while, 0 .. 1. Default none.</summary>
    public double OfflineShare { get; init; }

    /// <summary>
    /// How long they stay offline: at most half the duration, or to its end where <see cref="OfflineFrom"/> is given.
    /// </summary>
    public TimeSpan OfflineTime { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>When they go, after the first message that counts; null for a quarter of the duration.</summary>
    public TimeSpan? OfflineFrom { get; init; }

    /// <summary>When subscribers go offline, after the first message that counts.</summary>
    public TimeSpan OfflineAt => OfflineFrom ?? Duration / 4;

    /// <summary>The QoS of a publisher's messages.</summary>
    /// <param name="publisher">The publisher's number, from 0.</param>
    internal QualityOfService QosOf(int publisher) => publisher < Publishers / 2 ? Qos : SecondQos ?? Qos;

    /// <summary>Whether the schedule is fixed before the run.</summary>
    public bool IsOpenLoop => Arrivals != ArrivalKind.Closed;

    /// <summary>How many receivers a message has.</summary>
    public int ReceiversPerMessage => Shape == WorkloadShape.FanOut ? Subscribers : 1;

    /// <summary>The loop in words, for every result says which one it was.</summary>
    public string Loop =>
        Arrivals switch
        {
            ArrivalKind.Constant => string.Create(
                CultureInfo.InvariantCulture,
                $"open loop, constant rate of {MessagesPerSecond:0.##} messages/s"
            ),
            ArrivalKind.Poisson => string.Create(
                CultureInfo.InvariantCulture,
                $"open loop, Poisson arrivals of {MessagesPerSecond:0.##} messages/s"
            ),
            ArrivalKind.Closed => string.Create(
                CultureInfo.InvariantCulture,
                $"closed loop, {InFlight} in flight per publisher"
            ),
            _ => throw new UnreachableException(),
        };

    /// <summary>Finds everything that is out of range or contradictory.</summary>
    /// <returns>One sentence for each, empty when the workload can be run.</returns>
    public IReadOnlyList<string> Validate() =>
        [
            .. ClientChecks
                .Concat(LoadChecks)
                .Where(check => !check.Holds)
                .Select(check => $"{Invariant(check.Found)}; allowed: {Invariant(check.Allowed)}."),
            .. WarmUp.Validate(),
            .. WorkloadTopics.Validate(this),
        ];

    private IEnumerable<(bool Holds, FormattableString Found, FormattableString Allowed)> ClientChecks =>
        [
            (
                Publishers >= 1 && Subscribers >= 1 && (long)Publishers + Subscribers <= MostClients,
                $"Clients: {Publishers} publishers and {Subscribers} subscribers are out of range",
                $"at least 1 of each, {MostClients} together"
            ),
            (
                Shape != WorkloadShape.Pairs || Publishers == Subscribers,
                $"Pairs: {Publishers} publishers and {Subscribers} subscribers make no pairs",
                $"as many of each, or another shape in the key workload: fan-in or fan-out"
            ),
            (
                Shape != WorkloadShape.FanIn || Subscribers <= Publishers,
                $"Fan-in: {Subscribers} subscribers share {Publishers} publishers",
                $"at most as many subscribers as publishers"
            ),
            (
                (long)Publishers * ReceiversPerMessage <= 10_000_000,
                $"Fan-out: {Publishers} publishers to {Subscribers} subscribers each",
                $"a product of at most 10000000"
            ),
        ];

    private IEnumerable<(bool Holds, FormattableString Found, FormattableString Allowed)> LoadChecks =>
        [
            (
                !IsOpenLoop || MessagesPerSecond is > 0 and <= HighestRate,
                $"Rate: {MessagesPerSecond} messages/s is out of range",
                $"above 0, up to {HighestRate}"
            ),
            (
                Burst is not { MessagesPerSecond: 0 } || IsOpenLoop,
                $"Pause: a closed loop has no schedule",
                $"constant or poisson arrivals"
            ),
            (
                Burst is not { MessagesPerSecond: 0 } pause || pause.Until <= Duration,
                $"Pause: it ends after {Burst?.Until}",
                $"within the duration, {Duration}"
            ),
            (InFlight is >= 1 and <= 65_535, $"In flight: {InFlight} is out of range", $"1 .. 65535"),
            (
                Duration > TimeSpan.Zero && Duration <= TimeSpan.FromDays(1),
                $"Duration: {Duration} is out of range",
                $"above 0, up to 1 day"
            ),
            (OfflineShare is >= 0 and <= 1, $"Offline share: {OfflineShare} is out of range", $"0 .. 1"),
            (
                OfflineShare <= 0 || PersistentSubscribers,
                $"Offline subscribers have to come back to their sessions, but sessions are clean",
                $"only with persistent subscribers"
            ),
            (
                OfflineShare <= 0 || (Qos > 0 && SecondQos is not QualityOfService.AtMostOnce && SubscribeQos > 0),
                $"Offline subscribers are owed nothing at QoS 0",
                $"QoS 1 or 2 on both sides"
            ),
            (
                OfflineShare <= 0
                    || OfflineFrom is not null
                    || (OfflineTime > TimeSpan.Zero && OfflineTime <= Duration / 2),
                $"Offline time: {OfflineTime} is out of range",
                $"above 0, up to half the duration"
            ),
            (
                OfflineShare <= 0
                    || OfflineFrom is not { } from
                    || (from >= TimeSpan.Zero && OfflineTime > TimeSpan.Zero && from + OfflineTime <= Duration),
                $"Offline time: {OfflineTime} from {OfflineFrom} on is out of range",
                $"above 0, and back at the end of the duration, {Duration}, at the latest"
            ),
            (
                Version is null or ProtocolVersion.V311 or ProtocolVersion.V5,
                $"MQTT version: {Version} is not spoken here",
                $"3.1.1 and 5"
            ),
        ];
}
