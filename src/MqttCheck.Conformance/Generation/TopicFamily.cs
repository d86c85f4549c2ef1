using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// Topics and filters that have something to do with each other. A scenario keeps to one family, so that its commands
/// meet.
/// </summary>
/// <param name="Weight">How often it is chosen.</param>
/// <param name="Topics">Symbolic topics.</param>
/// <param name="Filters">Symbolic filters.</param>
internal sealed record TopicFamily(int Weight, string[] Topics, string[] Filters)
{
    /// <summary>Whether its topics have characters or levels that are seldom used.</summary>
    public bool IsUnusual { get; init; }

    private static readonly string s_long = string.Concat(Enumerable.Repeat("0123456789", 20));
    private static readonly string s_longer = string.Concat(Enumerable.Repeat("0123456789", 30));
    private static readonly string[] s_numbered = [.. Enumerable.Range(1, 8).Select(number => $"~/{number}")];
    private static readonly string s_deep = string.Join('/', Enumerable.Repeat("d", 16));

    public static IReadOnlyList<TopicFamily> All { get; } =
    [
        new(8, ["~/a"], ["~/a", "~/#", "~/+", "#", "+/a"]),
        new(5, ["~/a", "~/a/b", "~"], ["~/a", "~/a/#", "~/+", "~/#", "#", "+/a", "+/#", "~", "+", "~/+/#"]),
        new(4, ["~/a/b", "~/c/b"], ["~/a/b", "~/+/b", "~/a/+", "~/a/#", "~/#", "+/+/b", "+/a/#", "~/+/+"]),
        new(2, s_numbered, s_numbered),
        new(
            3,
            ["~/a", "~/a/", "~//a", "~/", "/~", "/~/a", "~/a//b"],
            [
                "~/a",
                "~/a/",
                "~//a",
                "~/",
                "/~",
                "/~/a",
                "~/+",
                "~/+/",
                "/+",
                "+/~",
                "~/+/a",
                "~/a/+",
                "~/a/#",
                "~//#",
                "/#",
                "~/a/+/b",
            ]
        )
        {
            IsUnusual = true,
        },
        new(3, ["$~/a", "$~"], ["$~/a", "$~/#", "$~/+", "#", "+/a", "+", "+/#"]) { IsUnusual = true },
        new(2, ["~/a.b", "~/a", "~/a/b", "~.a"], ["~/a.b", "~/a", "~/a/b", "~/+", "~/#", "~.a", "+/a"])
        {
            IsUnusual = true,
        },
        new(
            2,
            ["~/*", "~/>", "~/a", "~/A", "~/a b", "~/a "],
            ["~/*", "~/>", "~/a", "~/A", "~/a b", "~/a ", "~/+", "~/#"]
        )
        {
            IsUnusual = true,
        },
        new(
            2,
            ["~/\u00E9", "~/e\u0301", "~/\u4E2D/\U0001F600", "~/\uFEFFa", "~/a", "\uFEFF~/a"],
            ["~/\u00E9", "~/e\u0301", "~/+", "~/#", "~/\u4E2D/+", "~/\uFEFFa", "~/a", "\uFEFF~/a"]
        )
        {
            IsUnusual = true,
        },
        new(
            1,
            ["~/" + s_long, "~/" + s_longer, "~/" + s_deep],
            ["~/" + s_long, "~/" + s_longer, "~/" + s_deep, "~/+", "~/#", "~/d/#", "~/d/+/#"]
        )
        {
            IsUnusual = true,
        },
    ];

    /// <summary>
    /// The family without filters that also take what other runs publish.
    /// </summary>
    public TopicFamily WithoutOthers() =>
        this with
        {
            Filters = [.. Filters.Where(filter => !Scenario.TakesFromOthers(filter))],
        };

    /// <summary>The family with topics and filters that begin with the name of the run only.</summary>
    public TopicFamily BelowPrefix() =>
        this with
        {
            Topics = [.. Topics.Where(topic => topic.StartsWith('~'))],
            Filters = [.. Filters.Where(filter => filter.StartsWith('~'))],
        };

    /// <summary>The filters that match a topic.</summary>
    /// <param name="topic">One of the topics, each of which is a filter too or matches one.</param>
    public string[] Matching(string topic) => [.. Filters.Where(filter => TopicFilter.Matches(filter, topic))];
}
