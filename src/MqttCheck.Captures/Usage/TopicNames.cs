using MqttCheck.Captures.Populations;
using MqttCheck.Profiles;

namespace MqttCheck.Captures.Usage;

/// <summary>
/// The names of topics in a profile. Names there end with a number where all clients have one topic, or differ in a
/// number where a client has several, so filters are changed alike.
/// </summary>
internal sealed class TopicNames
{
    private const string Topic = UsageProfile.TopicField;
    private const string Client = ClientWill.ClientField;

    private readonly Pseudonyms _words;
    private readonly List<(string[] Pattern, string[] Name)> _changes = [];
    private readonly Dictionary<FoundGroup, (string Name, int Topics)> _published = [];

    /// <summary>Names the topics of groups.</summary>
    /// <param name="groups">The groups.</param>
    /// <param name="words">The words in the place of names.</param>
    public TopicNames(IEnumerable<FoundGroup> groups, Pseudonyms words)
    {
        _words = words;
        foreach (var group in groups.Where(group => group.Published.Count > 0))
            _published[group] = NameOf(group);
    }

    /// <summary>The name of the topics that a group publishes to, and how many a client takes.</summary>
    public (string Name, int Topics) Of(FoundGroup group) => _published[group];

    /// <summary>The name of a topic that a client publishes to as it connects, or as its will.</summary>
    public string Alone(string pattern) =>
        _words.Of(pattern).Replace(TopicPatterns.Variable, Client, StringComparison.Ordinal);

    /// <summary>The name of topics of which each client takes some.</summary>
    public string Shared(FoundTopics topics) => Some(_words.Of(topics.Pattern));

    /// <summary>A filter of a profile.</summary>
    /// <param name="topics">The topics that a group is subscribed to.</param>
    public string Filter(FoundTopics topics)
    {
        var levels = _words.Of(topics.Pattern).Split('/');
        var change = _changes.Find(one => Matches(levels, one.Pattern));
        if (change.Name is not null)
        {
            for (var i = 0; i < Math.Min(levels.Length, change.Name.Length); i++)
                levels[i] = levels[i] == change.Pattern[i] && !IsVariable(levels[i]) ? change.Name[i] : levels[i];
        }
        return string.Join(
            '/',
            levels.Select(level =>
                !IsVariable(level) ? level
                : topics.Share == TopicShare.Own
                    ? level.Replace(TopicPatterns.Variable, Client, StringComparison.Ordinal)
                : "+"
            )
        );
    }

    private (string, int) NameOf(FoundGroup group)
    {
        var isOwn = group.Published.All(topics => topics.Share == TopicShare.Own);
        var patterns = group.Published.Select(topics => Legal(_words.Of(topics.Pattern))).ToList();
        if (patterns is [var only])
            return isOwn && group.Published[0].PerClient > 1 ? (Several(only), group.Published[0].PerClient)
                : isOwn ? (only.Replace(TopicPatterns.Variable, Client, StringComparison.Ordinal), 1)
                : group.Published[0].Share == TopicShare.Some ? (Some(only), group.Published[0].Topics)
                : (One(only), 1);
        var levels = patterns.ConvertAll(pattern => pattern.Split('/'));
        var differing = Enumerable
            .Range(0, levels[0].Length)
            .Where(i => levels.Exists(other => i >= other.Length || other[i] != levels[0][i]))
            .ToList();
        var isLike = levels.TrueForAll(other => other.Length == levels[0].Length) && differing.Count == 1;
        return isLike ? (Merged(levels, differing[0], isOwn), patterns.Count) : (Below(levels, isOwn), patterns.Count);
    }

    // The one topic of all clients: a name in a profile has a number.
    private string One(string pattern)
    {
        _changes.Add((pattern.Split('/'), $"{pattern}0".Split('/')));
        return pattern + Topic;
    }

    private static string Some(string pattern)
    {
        var levels = pattern.Split('/');
        var first = Array.FindIndex(levels, IsVariable);
        for (var i = 0; i < levels.Length; i++)
            levels[i] = levels[i].Replace(TopicPatterns.Variable, i == first ? Topic : "any", StringComparison.Ordinal);
        return string.Join('/', levels);
    }

    // Several topics of a client's own: the last variable level tells them apart.
    private static string Several(string pattern)
    {
        var levels = pattern.Split('/');
        var last = Array.FindLastIndex(levels, IsVariable);
        var isOnly = Array.FindIndex(levels, IsVariable) == last;
        for (var i = 0; i < levels.Length; i++)
            levels[i] = levels[i]
                .Replace(TopicPatterns.Variable, i == last && !isOnly ? Topic : Client, StringComparison.Ordinal);
        return string.Join('/', levels) + (isOnly ? $"/{Topic}" : "");
    }

    // Patterns that differ in one level, which becomes a number.
    private string Merged(List<string[]> patterns, int at, bool isOwn)
    {
        for (var number = 0; number < patterns.Count; number++)
        {
            var name = patterns[number].ToArray();
            name[at] = FormattableString.Invariant($"{number}");
            _changes.Add((patterns[number], name));
        }
        var merged = patterns[0].ToArray();
        merged[at] = Topic;
        return Filled(merged, isOwn);
    }

    // Patterns that have little in common: topics below what they have.
    private static string Below(List<string[]> patterns, bool isOwn)
    {
        var common = patterns[0]
            .TakeWhile((level, i) => patterns.TrueForAll(other => i < other.Length && other[i] == level));
        return Filled([.. common, Topic], isOwn);
    }

    private static string Filled(string[] levels, bool isOwn)
    {
        var name = string.Join('/', levels)
            .Replace(TopicPatterns.Variable, isOwn ? Client : "any", StringComparison.Ordinal);
        return !isOwn || name.Contains(Client, StringComparison.Ordinal) ? name : $"{Client}/{name}";
    }

    // A client may publish to a name that no client should have.
    private static string Legal(string name) =>
        string.Join('/', name.Split('/').Select(level => level.AsSpan().ContainsAny('+', '#') ? "any" : level));

    private static bool IsVariable(string level) => level.EndsWith(TopicPatterns.Variable, StringComparison.Ordinal);

    private static bool Matches(string[] filter, string[] pattern)
    {
        for (var i = 0; i < filter.Length; i++)
        {
            if (filter[i] == "#")
                return true;
            if (i >= pattern.Length || (filter[i] != "+" && filter[i] != pattern[i] && !IsVariable(pattern[i])))
                return false;
        }
        return filter.Length == pattern.Length;
    }
}
