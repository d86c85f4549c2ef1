using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// The version, topics, filters and preferences that the commands of a scenario share, so that they affect each other.
/// </summary>
internal sealed record ScenarioTheme
{
    private const string Group = "$share/~g/",
        OtherGroup = "$share/~h/";

    private static readonly Gen<QualityOfService> s_anyQos = Gen.Elements(Enum.GetValues<QualityOfService>());

    // Clients that differ by little are told apart only where all have such identifiers.
    private static readonly Gen<IdentifierKind> s_identifiers = Gen.Frequency(
        (92, Gen.Constant(IdentifierKind.Plain)),
        (5, Gen.Constant(IdentifierKind.Case)),
        (3, Gen.Constant(IdentifierKind.Long))
    );

    private static readonly Gen<int> s_otherClient = Gen.Choose(0, 1);

    private static readonly Gen<QualityOfService>[] s_favouring =
    [
        .. Enum.GetValues<QualityOfService>().Select(qos => Gen.OneOf(s_anyQos, Gen.Constant(qos))),
    ];

    /// <summary>The protocol version.</summary>
    public required ProtocolVersion Version { get; init; }

    /// <summary>The commands and contents that the subject of the scenario makes likely.</summary>
    public required Emphasis Emphasis { get; init; }

    /// <summary>The kind of interval that the scenario mainly waits for; null if it does not wait.</summary>
    public IntervalKind? Focus => Emphasis.Interval;

    /// <summary>Whether commands carry short intervals, and the scenario waits for them.</summary>
    public bool TimePasses => Focus is not null;

    /// <summary>Whether it needs a client that leaves and may come back.</summary>
    public bool IsAboutAbsence => Emphasis.IsAboutAbsence;

    /// <summary>The topics of publications and wills.</summary>
    public required string[] Topics { get; init; }

    /// <summary>The filters, each plain and, behind all plain ones, shared.</summary>
    public required string[] Filters { get; init; }

    /// <summary>The quality of service that comes more often than others; null for none.</summary>
    public required QualityOfService? FavouriteQos { get; init; }

    /// <summary>Whether most subscriptions are shared ones.</summary>
    public bool IsAboutSharing => IsV5 && Emphasis.Shared > .5;

    /// <summary>Whether most sessions outlive their connections.</summary>
    public required bool LikesPersistence { get; init; }

    /// <summary>The defects of packets on a connection.</summary>
    public required string[] Defects { get; init; }

    /// <summary>The defects of CONNECT.</summary>
    public required string[] ConnectDefects { get; init; }

    /// <summary>The look of the client identifiers.</summary>
    public IdentifierKind Identifiers { get; init; }

    /// <summary>The client that speaks another version; null for none.</summary>
    public int? OtherClient { get; init; }

    /// <summary>The theme of that client; null where all clients speak one version.</summary>
    public ScenarioTheme? Other { get; init; }

    /// <summary>Whether a client has to say that it speaks this version, since the scenario is of another.</summary>
    public bool IsOther { get; init; }

    /// <summary>The theme of a client's commands.</summary>
    /// <param name="client">Which client.</param>
    public ScenarioTheme For(int client) => client == OtherClient ? Other! : this;

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
    /// <param name="options">The kinds of scenarios to generate.</param>
    /// <param name="subject">The subject of the scenario.</param>
    /// <param name="meetsOthers">Whether some filter takes what other runs publish; otherwise none does.</param>
    public static Gen<ScenarioTheme> All(GeneratorOptions options, ScenarioSubject subject, bool meetsOthers)
    {
        var emphasis = Emphasis.Of(subject);
        meetsOthers &= !options.StaysBelowPrefix;
        return Gen.OneOf(
            options
                .Versions.Where(version => !emphasis.IsOf5 || version == ProtocolVersion.V5)
                .Select(version =>
                    from theme in All(
                        version,
                        version == ProtocolVersion.V5 ? options.Defects5 : options.Defects311,
                        Families(options, emphasis, meetsOthers),
                        emphasis,
                        meetsOthers
                    )
                    from identifiers in s_identifiers
                    from other in Draw.Where(
                        version == ProtocolVersion.V5
                            && !theme.TimePasses
                            && options.Versions.Contains(ProtocolVersion.V311),
                        Draw.Sometimes(.08, s_otherClient),
                        null
                    )
                    select theme with
                    {
                        Identifiers = identifiers,
                        OtherClient = other,
                        Other = other is null ? null : theme.As311(options.Defects311, identifiers),
                    }
                )
        );
    }

    private ScenarioTheme As311(IReadOnlyList<string> defects, IdentifierKind identifiers) =>
        this with
        {
            Version = ProtocolVersion.V311,
            Identifiers = identifiers,
            IsOther = true,
            Defects = [.. defects.Where(defect => !MalformedCommand.IsOfConnect(defect, ProtocolVersion.V311))],
            // A connection without CONNECT speaks no version.
            ConnectDefects = [],
        };

    private static Gen<ScenarioTheme> All(
        ProtocolVersion version,
        IReadOnlyList<string> defects,
        Gen<TopicFamily> families,
        Emphasis emphasis,
        bool meetsOthers
    )
    {
        string[] ofConnect = [.. defects.Where(defect => MalformedCommand.IsOfConnect(defect, version))];
        string[] others = [.. defects.Except(ofConnect)];
        return from family in families
            from topics in Draw.Some(family.Topics, emphasis.MostTopics)
            from filters in Selection(family, topics, emphasis, meetsOthers)
            from favourite in Gen.Choose(0, 3)
            from likesPersistence in Draw.Chance(emphasis.LikesPersistence)
            select new ScenarioTheme
            {
                Version = version,
                Emphasis = emphasis,
                Topics = topics,
                // One filter is shared under a second name as well: each of the two gets every message.
                Filters = [.. filters, .. filters.Select(filter => Group + filter), OtherGroup + filters[0]],
                FavouriteQos =
                    emphasis.FavouriteQos
                    ?? (
                        emphasis.IsAboutAbsence && emphasis.Interval is null or IntervalKind.QueuedMessage
                            ? (QualityOfService)(1 + (favourite & 1))
                        : favourite < 3 ? (QualityOfService)favourite
                        : null
                    ),
                LikesPersistence = likesPersistence,
                Defects = others,
                ConnectDefects = ofConnect,
            };
    }

    // If the scenario is to meet other runs, the family needs a filter that takes their messages.
    private static Gen<TopicFamily> Families(GeneratorOptions options, Emphasis emphasis, bool meetsOthers)
    {
        var families = options.StaysBelowPrefix
            ? TopicFamily.All.Select(family => family.BelowPrefix()).Where(family => family.Topics.Length > 0)
            : TopicFamily.All;
        TopicFamily[] all = [.. families.Where(family => !meetsOthers || family.Filters.Any(Scenario.TakesFromOthers))];
        TopicFamily[] wanted = [.. all.Where(family => emphasis.Families?.Invoke(family) != false)];
        return Gen.Frequency(
            (wanted.Length > 0 ? wanted : all).Select(family =>
                (family.Weight, Gen.Constant(meetsOthers ? family : family.WithoutOthers()))
            )
        );
    }

    private static Gen<string[]> Selection(TopicFamily family, string[] topics, Emphasis emphasis, bool meetsOthers)
    {
        var choice = emphasis.FiltersMatch ? family.Matching(topics[0]) : family.Filters;
        var most = emphasis.MostFilters ?? (family.Filters.Length > 5 ? 6 : 3);
        return !meetsOthers
            ? Draw.Some(choice, most)
            : from wide in Draw.Some([.. family.Filters.Where(Scenario.TakesFromOthers)], 2)
            from rest in Draw.Some(choice, 1)
            select wide.Union(rest).ToArray();
    }
}
