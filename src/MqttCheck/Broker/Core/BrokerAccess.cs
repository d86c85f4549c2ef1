using System.Security.Cryptography;
using System.Text;
using MqttCheck.Broker.Routing;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Broker.Core;

/// <summary>
/// Who may connect, publish and subscribe. The default lets everybody do everything.
/// </summary>
/// <remarks>
/// The first rule that speaks about a topic decides. Once there is any rule, what no rule allows is denied.
/// A subscription is granted only if the rules allow every topic its filter can match.
/// </remarks>
/// <param name="passwords">Passwords by user name.</param>
/// <param name="allowAnonymous">Whether a client may connect without a user name.</param>
/// <param name="rules">The rules, in the order in which they are tried.</param>
public sealed class BrokerAccess(
    IReadOnlyDictionary<string, string> passwords,
    bool allowAnonymous,
    IEnumerable<AccessRule> rules
)
{
    private readonly Dictionary<string, byte[]> _passwordHashes = passwords.ToDictionary(
        user => user.Key,
        user => SHA256.HashData(Encoding.UTF8.GetBytes(user.Value)),
        StringComparer.Ordinal
    );
    private readonly AccessRule[] _rules = [.. rules];

    /// <summary>Everybody may do everything; user names are not looked at.</summary>
    public static BrokerAccess Open { get; } = new(new Dictionary<string, string>(), allowAnonymous: true, []);

    /// <summary>Whether every publication is allowed, so that none need be asked about.</summary>
    public bool HasNoRules => _rules.Length == 0;

    /// <summary>
    /// Reads users and rules from text, one per line: <c>user NAME PASSWORD</c>, <c>anonymous yes|no</c> (default no),
    /// <c>allow|deny USER|* publish|subscribe|both FILTER</c>. Empty lines and lines that begin with <c>#</c> are left
    /// out.
    /// </summary>
    /// <param name="text">The text.</param>
    /// <param name="where">Its file, for messages.</param>
    /// <exception cref="InputException">Some line is not one of these; all of them are named.</exception>
    public static BrokerAccess Parse(string text, string where)
    {
        var (passwords, rules, errors, anonymous) = (
            new Dictionary<string, string>(StringComparer.Ordinal),
            new List<AccessRule>(),
            new List<string>(),
            false
        );
        var number = 0;
        foreach (var line in text.Split('\n'))
        {
            number++;
            var words = line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
            if (words.Length == 0 || words[0].StartsWith('#'))
                continue;
            // The line itself is not repeated in the message: it may hold a password.
            var problem = words switch
            {
                ["user", var name, var password] => passwords.TryAdd(name, password)
                    ? null
                    : $"user '{name}' is there twice",
                ["anonymous", "yes"] => Anonymous(true),
                ["anonymous", "no"] => Anonymous(false),
                ["allow" or "deny", var user, "publish" or "subscribe" or "both", var filter] => Rule(
                    words[0] == "allow",
                    user,
                    words[2],
                    filter
                ),
                _ => $"'{words[0]}' with {words.Length - 1} words after it is not a line of access rules; allowed are "
                    + "'user NAME PASSWORD', 'anonymous yes|no', 'allow|deny USER|* publish|subscribe|both FILTER'",
            };
            if (problem is not null)
                errors.Add($"{where}, line {number}: {problem}.");
        }
        return errors.Count == 0
            ? new BrokerAccess(passwords, anonymous, rules)
            : throw new InputException(string.Join('\n', errors));

        string? Anonymous(bool allowed)
        {
            anonymous = allowed;
            return null;
        }

        string? Rule(bool allow, string user, string action, string filter)
        {
            if (!TopicFilter.IsValid(filter, ProtocolVersion.V311))
                return $"'{filter}' is not a topic filter";
            rules.Add(new AccessRule(allow, user, ActionOf(action), filter));
            return null;
        }
    }

    private static AccessAction ActionOf(string word) =>
        word switch
        {
            "publish" => AccessAction.Publish,
            "subscribe" => AccessAction.Subscribe,
            _ => AccessAction.Both,
        };

    /// <summary>Whether a client may connect.</summary>
    /// <param name="user">Its user name, or null.</param>
    /// <param name="password">Its password; empty for none.</param>
    public bool MayConnect(string? user, ReadOnlySpan<byte> password)
    {
        if (user is null || _passwordHashes.Count == 0)
            return allowAnonymous;
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(password, hash);
        return _passwordHashes.TryGetValue(user, out var expected)
            && CryptographicOperations.FixedTimeEquals(hash, expected);
    }

    /// <summary>Whether a client may publish to a topic.</summary>
    /// <param name="user">Its user name; null for an anonymous client.</param>
    /// <param name="topic">A topic name.</param>
    public bool MayPublish(string? user, string topic)
    {
        foreach (var rule in _rules)
            if (rule.AppliesTo(user, AccessAction.Publish) && FilterRelations.Covers(rule.Filter, topic))
                return rule.Allow;
        return HasNoRules;
    }

    /// <summary>Whether a client may subscribe to a filter.</summary>
    /// <param name="user">Its user name; null for an anonymous client.</param>
    /// <param name="filter">A topic filter; of a shared subscription, the part behind the share name.</param>
    public bool MaySubscribe(string? user, string filter) =>
        _rules
            .Where(rule => rule.AppliesTo(user, AccessAction.Subscribe))
            .FirstOrDefault(rule =>
                rule.Allow ? FilterRelations.Covers(rule.Filter, filter) : FilterRelations.Overlap(rule.Filter, filter)
            )
            ?.Allow
        ?? HasNoRules;
}
