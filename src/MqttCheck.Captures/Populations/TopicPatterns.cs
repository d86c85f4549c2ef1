using System.Text;
using MqttCheck.Captures.Exchanges;

namespace MqttCheck.Captures.Populations;

/// <summary>
/// The patterns of topics: parts that tell devices apart are variable. Such a part has a digit, is the name of a
/// client, or is one of many beside each other.
/// </summary>
internal sealed class TopicPatterns
{
    /// <summary>The mark of a variable part.</summary>
    public const string Variable = "{}";

    // So many names beside each other are those of devices, not of quantities.
    private const int ManyNames = 8;

    private readonly HashSet<string> _clients;
    private readonly Dictionary<SeenTopic, string> _patterns = [];
    private readonly Dictionary<string, int> _topics = new(StringComparer.Ordinal);
    private readonly HashSet<string> _beginnings = new(StringComparer.Ordinal);

    /// <summary>Finds the patterns of all topics.</summary>
    /// <param name="topics">The topics.</param>
    /// <param name="clients">The names of clients.</param>
    public TopicPatterns(IReadOnlyCollection<SeenTopic> topics, IEnumerable<string> clients)
    {
        _clients = new(clients, StringComparer.Ordinal);
        var all = topics.ToList();
        var names = all.ConvertAll(topic => Encoding.UTF8.GetString(topic.Name).Split('/'));
        var found = Generalised(names);
        foreach (var alike in Enumerable.Range(0, all.Count).GroupBy(i => found[i]))
        {
            var pattern = Restored(alike.Key, [.. alike.Select(i => names[i])]);
            _topics[pattern] = alike.Count();
            foreach (var i in alike)
                _patterns[all[i]] = pattern;
            for (var end = pattern.IndexOf('/'); end >= 0; end = pattern.IndexOf('/', end + 1))
                _beginnings.Add(pattern[..end]);
            _beginnings.Add(pattern);
        }
    }

    /// <summary>The pattern of a topic.</summary>
    public string Of(SeenTopic topic) => _patterns[topic];

    /// <summary>How many topics have a pattern.</summary>
    public int Topics(string pattern) => _topics.GetValueOrDefault(pattern);

    /// <summary>The pattern of a filter, or of a topic that no message was seen of; wildcards stay.</summary>
    public string OfFilter(string filter)
    {
        var pattern = new StringBuilder();
        var beginning = "";
        foreach (var level in filter.Split('/'))
        {
            var slash = pattern.Length == 0 ? "" : "/";
            var general =
                level is "+" or "#" || _beginnings.Contains(beginning + slash + level) ? level
                : _beginnings.Contains(beginning + slash + Variable) ? Variable
                : General(level);
            pattern.Append(slash).Append(general);
            beginning += slash + (general == "+" ? Variable : general);
        }
        return pattern.ToString();
    }

    // Beside each other are levels below one pattern, in topics that are equally deep.
    private string[] Generalised(List<string[]> names)
    {
        var found = names.Select(_ => "").ToArray();
        var deepest = names.Select(name => name.Length).DefaultIfEmpty().Max();
        for (var depth = 0; depth < deepest; depth++)
        {
            var level = depth;
            var here = Enumerable.Range(0, names.Count).Where(i => names[i].Length > level);
            foreach (var siblings in here.GroupBy(i => (found[i], names[i].Length)).ToList())
            {
                var many = siblings.Select(i => names[i][level]).Distinct().Skip(ManyNames - 1).Any();
                foreach (var i in siblings)
                {
                    var general = General(names[i][level]);
                    // A name of the system is none of a device.
                    if (many && general == names[i][level] && names[i][0] is not ['$', ..])
                        general = Variable;
                    found[i] += (level == 0 ? "" : "/") + general;
                }
            }
        }
        return found;
    }

    private string General(string level)
    {
        if (_clients.Contains(level))
            return Variable;
        if (!level.Any(char.IsDigit))
            return level;
        var word = level.TrimEnd("0123456789".ToCharArray());
        return word.Length > 0 && word.Length < level.Length && !word.Any(char.IsDigit) ? word + Variable : Variable;
    }

    // A variable part that has one value in all topics is none.
    private static string Restored(string pattern, List<string[]> names)
    {
        var levels = pattern.Split('/');
        for (var i = 0; i < levels.Length; i++)
        {
            if (
                levels[i].EndsWith(Variable, StringComparison.Ordinal)
                && names.TrueForAll(name => name[i] == names[0][i])
            )
                levels[i] = names[0][i];
        }
        return string.Join('/', levels);
    }
}
