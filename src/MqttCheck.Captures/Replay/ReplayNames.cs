using System.Security.Cryptography;
using System.Text;
using MqttCheck.Captures.Exchanges;

namespace MqttCheck.Captures.Replay;

/// <summary>
/// The names that are sent in the place of those of the capture. A level of a topic becomes a hash of at least its
/// length, so wildcards and levels stay as they are. The key of the hashes is forgotten.
/// </summary>
/// <param name="keepsNames">Whether names are sent as they are.</param>
/// <param name="topicPrefix">The beginning of all topics.</param>
/// <param name="prefix">The beginning of names that are hashes.</param>
internal sealed class ReplayNames(bool keepsNames, string topicPrefix, string prefix)
{
    private const int ShortestHash = 8;
    private const int MostKept = 100_000;
    private const string Shared = "$share/";

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly Dictionary<string, string> _levels = new(StringComparer.Ordinal);
    private readonly Dictionary<string, byte[]> _topics = new(StringComparer.Ordinal);
    private readonly string _before = keepsNames ? topicPrefix : topicPrefix + prefix;

    /// <summary>Whether a name is one that a broker keeps to itself, such as <c>$SYS</c>.</summary>
    public static bool IsOfBroker(string name) => name.StartsWith('$') && !SeenNames.IsShared(name);

    /// <summary>A topic.</summary>
    public byte[] Topic(ReadOnlySpan<byte> name)
    {
        var text = Encoding.UTF8.GetString(name);
        if (_topics.TryGetValue(text, out var known))
            return known;
        var topic = Encoding.UTF8.GetBytes(_before + Levels(text));
        if (_topics.Count < MostKept)
            _topics.Add(text, topic);
        return topic;
    }

    /// <summary>A filter.</summary>
    public string Filter(string filter)
    {
        if (!SeenNames.IsShared(filter))
            return _before + Levels(filter);
        var group = filter[Shared.Length..];
        var end = group.IndexOf('/', StringComparison.Ordinal);
        return end < 0
            ? filter
            : $"{Shared}{(keepsNames ? group[..end] : Level(group[..end]))}/{_before}{Levels(group[(end + 1)..])}";
    }

    /// <summary>The identifier of a client.</summary>
    /// <param name="name">Its name in the capture.</param>
    /// <param name="isIdentifier">Whether that is its identifier there; otherwise its identifier was not seen.</param>
    public string Client(string name, bool isIdentifier) =>
        keepsNames && isIdentifier ? name : prefix.Replace("/", "", StringComparison.Ordinal) + Level(name);

    private string Levels(string name) => keepsNames ? name : string.Join('/', name.Split('/').Select(Level));

    private string Level(string level)
    {
        if (level is "" or "+" or "#")
            return level;
        if (_levels.TryGetValue(level, out var known))
            return known;
        var hash = Convert.ToHexStringLower(HMACSHA256.HashData(_key, Encoding.UTF8.GetBytes(level)));
        hash = hash[..Math.Clamp(level.Length, ShortestHash, hash.Length)];
        if (_levels.Count < MostKept)
            _levels.Add(level, hash);
        return hash;
    }
}
