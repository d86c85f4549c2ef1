using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// What the commands of a scenario have in common, so that they meet: version, topics, filters, preferences.
/// </summary>
internal sealed record ScenarioTheme
{
    private const string Group = "$share/~g/";

    private static readonly Gen<QualityOfService> s_anyQos = Gen.Elements(Enum.GetValues<QualityOfService>());

    private static readonly Gen<QualityOfService>[] s_favouring =
    [
        .. Enum.GetValues<QualityOfService>().Select(qos => Gen.OneOf(s_anyQos, Gen.Constant(qos))),
    ];

    /// <summary>The protocol version.</summary>
    public required ProtocolVersion Version { get; init; }

    /// <summary>What kind of interval the scenario waits for above all; null if it does not wait.</summary>
    public required IntervalKind? Focus { get; init; }

    /// <summary>Whether commands carry short intervals, and the scenario waits for them.</summary>
    public bool TimePasses => Focus is not null;

    /// <summary>Whether what it waits for needs a client that leaves and may come back.</summary>
    public bool IsAboutAbsence =>
        Focus is IntervalKind.SessionExpiry or IntervalKind.WillDelay or IntervalKind.QueuedMessage;

    /// <summary>The topics of publications and wills.</summary>
    public required string[] Topics { get; init; }

    /// <summary>The filters, each plain and, behind all plain ones, shared.</summary>
    public required string[] Filters { get; init; }

    /// <summary>The quality of service that comes more often than others; null for none.</summary>
    public required QualityOfService? FavouriteQos { get; init; }

    /// <summary>Whether most subscriptions are shared ones.</summary>
    public required bool IsAboutSharing { get; init; }

    /// <summary>Whether most sessions outlive their connections.</summary>
    public required bool LikesPersistence { get; init; }

    /// <summary>The defects of packets on a connection.</summary>
    public required string[] Defects { get; init; }

    /// <summary>The defects of CONNECT.</summary>
    public required string[] ConnectDefects { get; init; }

    /// <summary>Whether MQTT 5 is spoken.</summary>
    public bool IsV5 => Version == ProtocolVersion.V5;

    /// <summary>A topic.</summary>
    public Gen<string> Topic => field ??= Gen.Elements(Topics);

    /// <summary>A filter of a subscription of one's own.</summary>
    public Gen<string> Filter => field ??= Gen.Elements(Filters[..(Filters.Length / 2)]);

    /// <summary>A filter of a shared subscription.</summary>
    public Gen<string> SharedFilter => field ??= Gen.Elements(Filters[(Filters.Length / 2)..]);

    /// <summary>A quality of service.</summary>
    public Gen<QualityOfService> Qos => FavouriteQos is { } favourite ? s_favouring[(int)favourite] : s_anyQos;

    /// <summary>The commands.</summary>
    public CommandGenerator Commands => field ??= new CommandGenerator(this);

    /// <summary>Themes.</summary>
    /// <param name="options">What to generate.</param>
    /// <param name="timePasses">Whether the scenario waits.</param>
    public static Gen<ScenarioTheme> All(GeneratorOptions options, bool timePasses) =>
        Gen.OneOf(
            options.Versions.Select(version =>
                All(version, version == ProtocolVersion.V5 ? options.Defects5 : options.Defects311, timePasses)
            )
        );

    private static Gen<ScenarioTheme> All(ProtocolVersion version, IReadOnlyList<string> defects, bool timePasses)
    {
        string[] ofConnect = [.. defects.Where(defect => MalformedCommand.IsOfConnect(defect, version))];
        string[] others = [.. defects.Except(ofConnect)];
        var families = Gen.Frequency(
            TopicFamily.All.Select(family =>
                (family.Weight, Gen.Constant(timePasses ? family.WithoutOthers() : family))
            )
        );
        // MQTT 3.1.1 has no interval but keep alive.
        var focuses = !timePasses
            ? Gen.Constant<IntervalKind?>(null)
            : Gen.Elements(version == ProtocolVersion.V5 ? Enum.GetValues<IntervalKind>() : [IntervalKind.KeepAlive])
                .Select(kind => (IntervalKind?)kind);
        return from family in families
            from topics in Draw.Some(family.Topics, timePasses ? 1 : 2)
            from filters in Draw.Some(
                timePasses ? family.Matching(topics[0]) : family.Filters,
                family.Filters.Length > 5 ? 6 : 3
            )
            from favourite in Gen.Choose(0, 3)
            from isAboutSharing in Draw.Where(version == ProtocolVersion.V5 && !timePasses, Draw.Chance(.15), false)
            from likesPersistence in Draw.Chance(.4)
            from focus in focuses
            select new ScenarioTheme
            {
                Version = version,
                Focus = focus,
                Topics = topics,
                Filters = [.. filters, .. filters.Select(filter => Group + filter)],
                FavouriteQos =
                    focus == IntervalKind.QueuedMessage ? (QualityOfService)(1 + (favourite & 1))
                    : favourite < 3 ? (QualityOfService)favourite
                    : null,
                IsAboutSharing = isAboutSharing,
                LikesPersistence =
                    likesPersistence
                    || focus is IntervalKind.SessionExpiry or IntervalKind.WillDelay or IntervalKind.QueuedMessage,
                Defects = others,
                ConnectDefects = ofConnect,
            };
    }
}
