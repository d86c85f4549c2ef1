namespace MqttCheck.Protocol;

/// <summary>The rules of topic filters (section 4.7), and of shared subscriptions (MQTT 5, section 4.8.2).</summary>
public static class TopicFilter
{
    private const string SharePrefix = "$share/";

    internal static (Rule Rule, string Message)? FindViolation(string filter, ProtocolVersion version)
    {
        var rest = filter.AsSpan();
        if (version >= ProtocolVersion.V5 && filter.StartsWith(SharePrefix, StringComparison.Ordinal))
        {
            rest = rest[SharePrefix.Length..];
            var slash = rest.IndexOf('/');
            var name = slash < 0 ? rest : rest[..slash];
            if (name.IsEmpty || name.IndexOfAny('+', '#') >= 0)
                return (Rules.ShareName, $"the share name of \"{filter}\" is empty or contains a wildcard");
            if (slash < 0 || slash + 1 == rest.Length) return (Rules.SharedFilter, $"\"{filter}\" has no topic filter after the share name");
            rest = rest[(slash + 1)..];
        }
        if (rest.IsEmpty) return (Rules.EmptyFilter, "the topic filter is empty");
        for (var i = 0; i < rest.Length; i++)
        {
            if (rest[i] is not ('+' or '#')) continue;
            var alone = i == 0 || rest[i - 1] == '/';
            if (rest[i] == '#' && !(alone && i + 1 == rest.Length))
                return (Rules.MultiLevelWildcard, $"# is not the whole last level of \"{filter}\"");
            if (rest[i] == '+' && !(alone && (i + 1 == rest.Length || rest[i + 1] == '/')))
                return (Rules.SingleLevelWildcard, $"+ is not a whole level of \"{filter}\"");
        }
        return null;
    }

    /// <summary>True for a filter of a shared subscription: <c>$share/name/filter</c>.</summary>
    /// <param name="filter">The topic filter as it stands in SUBSCRIBE.</param>
    public static bool IsShared(ReadOnlySpan<char> filter) => filter.StartsWith(SharePrefix, StringComparison.Ordinal);
}
