using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// How likely a subject makes inputs, and what they carry. Weights are relative to each other; probabilities are
/// multiples of .001.
/// </summary>
internal sealed record Emphasis
{
    private static readonly Dictionary<ScenarioSubject, Emphasis> s_all = All().ToDictionary(e => e.Subject);

    /// <summary>The subject.</summary>
    public required ScenarioSubject Subject { get; init; }

    /// <summary>The interval that the scenario waits for; null if it does not wait.</summary>
    public IntervalKind? Interval { get; init; }

    /// <summary>Whether it needs MQTT 5.</summary>
    public bool IsOf5 { get; init; }

    /// <summary>How likely most sessions of the scenario outlive their connections.</summary>
    public double LikesPersistence { get; init; } = .4;

    /// <summary>How likely a session does in such a scenario.</summary>
    public double Persists { get; init; } = .7;

    /// <summary>Whether a client that has a session and subscriptions, or a will, leaves soon while another one stays,
    /// and comes back after a while.</summary>
    public bool IsAboutAbsence { get; init; }

    /// <summary>How likely CONNECT has a will.</summary>
    public double Will { get; init; } = .15;

    /// <summary>How likely CONNECT has a Receive Maximum of 1 to 3.</summary>
    public double Window { get; init; } = .1;

    /// <summary>How likely CONNECT lets the broker use aliases.</summary>
    public double AliasMaximum { get; init; } = .1;

    /// <summary>How likely CONNECT has a Maximum Packet Size.</summary>
    public double MaximumPacket { get; init; } = .05;

    /// <summary>How likely a subscription is a shared one.</summary>
    public double Shared { get; init; } = .05;

    /// <summary>How likely SUBSCRIBE has a subscription identifier.</summary>
    public double Identifier { get; init; } = .2;

    /// <summary>How likely PUBLISH has RETAIN.</summary>
    public double Retain { get; init; } = .19;

    /// <summary>How likely PUBLISH deletes a retained message.</summary>
    public double Delete { get; init; } = .06;

    /// <summary>How likely PUBLISH has a large payload.</summary>
    public double Large { get; init; } = .03;

    /// <summary>How likely PUBLISH has an alias.</summary>
    public double Alias { get; init; } = .15;

    /// <summary>How likely PUBLISH has a message expiry interval.</summary>
    public double Expiry { get; init; } = .08;

    /// <summary>How likely PUBLISH is half an exchange.</summary>
    public double Cut { get; init; } = .1;

    /// <summary>How likely PUBLISH takes an identifier that is free again.</summary>
    public double Reuse { get; init; } = .1;

    /// <summary>The quality of service that comes more often than others; null for any of them.</summary>
    public QualityOfService? FavouriteQos { get; init; }

    /// <summary>The most topics of a scenario.</summary>
    public int MostTopics { get; init; } = 2;

    /// <summary>The most filters of a scenario; null for 3, or 6 where there are many to choose from.</summary>
    public int? MostFilters { get; init; }

    /// <summary>Whether all filters match the first topic.</summary>
    public bool FiltersMatch { get; init; } = true;

    /// <summary>Which families of topics it is about; null for all.</summary>
    public Predicate<TopicFamily>? Families { get; init; }

    /// <summary>The weight of SUBSCRIBE.</summary>
    public int Subscribe { get; init; } = 28;

    /// <summary>The weight of PUBLISH.</summary>
    public int Publish { get; init; } = 46;

    /// <summary>The weight of UNSUBSCRIBE of a client that has subscriptions.</summary>
    public int Unsubscribe { get; init; } = 7;

    /// <summary>The weight of DISCONNECT.</summary>
    public int Disconnect { get; init; } = 5;

    /// <summary>The weight of a connection that is lost.</summary>
    public int Drop { get; init; } = 6;

    /// <summary>The weight of withholding acknowledgements.</summary>
    public int Hold { get; init; } = 3;

    /// <summary>
    /// The weight of PINGREQ of a scenario that does not wait: its answer says that what was sent before was taken.
    /// </summary>
    public int Ping { get; init; } = 1;

    /// <summary>The weight of a connection that takes over the one there is.</summary>
    public int TakeOver { get; init; } = 3;

    /// <summary>The emphasis of a subject.</summary>
    /// <param name="subject">The subject.</param>
    public static Emphasis Of(ScenarioSubject subject) => s_all[subject];

    /// <summary>The subjects of scenarios that wait, or of those that do not.</summary>
    /// <param name="waits">Which.</param>
    /// <param name="versions">The protocol versions to choose from.</param>
    public static IEnumerable<ScenarioSubject> Subjects(bool waits, ValueList<ProtocolVersion> versions) =>
        s_all
            .Values.Where(e => e.Interval is not null == waits)
            .Where(e => !e.IsOf5 || versions.Contains(ProtocolVersion.V5))
            .Select(e => e.Subject);

    private static IEnumerable<Emphasis> All() => [.. WithoutWaits(), .. OfSeveralClients(), .. WithWaits()];

    private static IEnumerable<Emphasis> WithoutWaits() =>
        [
            new() { Subject = ScenarioSubject.Anything, FiltersMatch = false },
            new()
            {
                Subject = ScenarioSubject.Retained,
                Retain = .5,
                Delete = .12,
                Ping = 8,
                Subscribe = 42,
                MostFilters = 4,
            },
            new()
            {
                Subject = ScenarioSubject.Aliases,
                IsOf5 = true,
                Alias = .8,
                AliasMaximum = .5,
                MostTopics = 3,
                FiltersMatch = false,
                Families = family => family.Topics.Length > 1,
            },
            new()
            {
                Subject = ScenarioSubject.ManySubscriptions,
                Subscribe = 60,
                Unsubscribe = 10,
                MostTopics = 8,
                MostFilters = 8,
                FiltersMatch = false,
                Families = family => family.Filters.Length >= 7,
            },
            new()
            {
                Subject = ScenarioSubject.Overlap,
                Identifier = .6,
                Subscribe = 48,
                Unsubscribe = 9,
                MostTopics = 1,
                MostFilters = 5,
                Families = family => family.Filters.Length > 2,
            },
            new()
            {
                Subject = ScenarioSubject.Names,
                Retain = .3,
                Will = .2,
                MostTopics = 3,
                FiltersMatch = false,
                Families = family => family.IsUnusual,
            },
        ];

    private static IEnumerable<Emphasis> OfSeveralClients() =>
        [
            new()
            {
                Subject = ScenarioSubject.Absence,
                LikesPersistence = 1,
                Persists = .95,
                IsAboutAbsence = true,
                Window = .25,
                Publish = 55,
                Hold = 6,
            },
            new()
            {
                Subject = ScenarioSubject.HalfFlows,
                LikesPersistence = 1,
                Persists = .95,
                FavouriteQos = QualityOfService.ExactlyOnce,
                Cut = .35,
                Reuse = .2,
                Drop = 16,
                Hold = 16,
                MostTopics = 1,
            },
            new()
            {
                Subject = ScenarioSubject.Sharing,
                IsOf5 = true,
                Shared = .75,
                Unsubscribe = 14,
                MostTopics = 1,
                MostFilters = 2,
            },
            new()
            {
                Subject = ScenarioSubject.Limits,
                LikesPersistence = .7,
                Window = .6,
                AliasMaximum = .3,
                MaximumPacket = .25,
                Large = .15,
                Hold = 14,
            },
            new()
            {
                Subject = ScenarioSubject.Wills,
                Will = .85,
                Retain = .3,
                Disconnect = 10,
                Drop = 18,
                TakeOver = 9,
                MostTopics = 1,
            },
        ];

    private static IEnumerable<Emphasis> WithWaits() =>
        [
            new()
            {
                Subject = ScenarioSubject.KeepAlive,
                Interval = IntervalKind.KeepAlive,
                Will = .5,
                MostTopics = 1,
            },
            new()
            {
                Subject = ScenarioSubject.SessionExpiry,
                Interval = IntervalKind.SessionExpiry,
                IsOf5 = true,
                LikesPersistence = 1,
                Persists = .9,
                IsAboutAbsence = true,
                Will = .3,
                MostTopics = 1,
            },
            new()
            {
                Subject = ScenarioSubject.WillDelay,
                Interval = IntervalKind.WillDelay,
                IsOf5 = true,
                LikesPersistence = 1,
                Persists = .9,
                IsAboutAbsence = true,
                Will = .8,
                MostTopics = 1,
            },
            new()
            {
                Subject = ScenarioSubject.QueuedMessage,
                Interval = IntervalKind.QueuedMessage,
                IsOf5 = true,
                LikesPersistence = 1,
                Persists = .9,
                IsAboutAbsence = true,
                Expiry = .55,
                Retain = .1,
                Will = .05,
                Cut = .03,
                Reuse = .03,
                Hold = 1,
                Unsubscribe = 2,
                Publish = 75,
                MostTopics = 1,
            },
            new()
            {
                Subject = ScenarioSubject.RetainedMessage,
                Interval = IntervalKind.RetainedMessage,
                IsOf5 = true,
                Retain = .6,
                Delete = 0,
                Expiry = .7,
                MostTopics = 1,
            },
        ];
}
