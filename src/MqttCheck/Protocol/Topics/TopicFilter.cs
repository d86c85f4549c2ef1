using System.Text;
using MqttCheck.Protocol.Decoders;

namespace MqttCheck.Protocol.Topics;

/// <summary>The rules of topic filters (section 4.7), and of shared subscriptions (MQTT 5, section 4.8.2).</summary>
internal static class TopicFilter
{
    private static ReadOnlySpan<byte> SharePrefix => "$share/"u8;

    /// <summary>
    /// True for a legal filter: UTF-8 of 1..65535 bytes without U+0000, wildcards only where they may stand.
    /// </summary>
    /// <param name="utf8">The filter as it stands in SUBSCRIBE.</param>
    /// <param name="version">
    /// In MQTT 5 a filter that starts with <c>$share/</c> must be a well-formed shared subscription.
    /// </param>
    public static bool IsValid(ReadOnlySpan<byte> utf8, ProtocolVersion version) =>
        utf8.Length <= TopicName.MaximumBytes
        && FindViolation(utf8, version) is null
        && !utf8.Contains((byte)0)
        && System.Text.Unicode.Utf8.IsValid(utf8);

    /// <inheritdoc cref="IsValid(ReadOnlySpan{byte}, ProtocolVersion)"/>
    /// <param name="filter">The filter as it stands in SUBSCRIBE.</param>
    /// <param name="version">
    /// In MQTT 5 a filter that starts with <c>$share/</c> must be a well-formed shared subscription.
    /// </param>
    public static bool IsValid(string filter, ProtocolVersion version)
    {
        // A lone surrogate has no UTF-8 form.
        var bytes = Encoding.UTF8.GetBytes(filter);
        return Encoding.UTF8.GetString(bytes) == filter && IsValid(bytes, version);
    }

    /// <summary>True if a topic name matches a filter (section 4.7.1, 4.7.2). Both must be valid.</summary>
    /// <param name="filter">A filter; of a shared subscription the part behind the share name.</param>
    /// <param name="topic">A topic name.</param>
    public static bool Matches(ReadOnlySpan<byte> filter, ReadOnlySpan<byte> topic)
    {
        if (!topic.IsEmpty && topic[0] == '$' && !filter.IsEmpty && filter[0] is (byte)'+' or (byte)'#')
            return false;
        while (true)
        {
            if (filter.SequenceEqual("#"u8))
                return true;
            var filterEnd = filter.IndexOf((byte)'/');
            var topicEnd = topic.IndexOf((byte)'/');
            var filterLevel = filterEnd < 0 ? filter : filter[..filterEnd];
            var topicLevel = topicEnd < 0 ? topic : topic[..topicEnd];
            if (!filterLevel.SequenceEqual("+"u8) && !filterLevel.SequenceEqual(topicLevel))
                return false;
            if (filterEnd < 0 || topicEnd < 0)
                return topicEnd < 0 && (filterEnd < 0 || filter[(filterEnd + 1)..].SequenceEqual("#"u8));
            filter = filter[(filterEnd + 1)..];
            topic = topic[(topicEnd + 1)..];
        }
    }

    /// <inheritdoc cref="Matches(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    /// <param name="filter">A filter; of a shared subscription the part behind the share name.</param>
    /// <param name="topic">A topic name.</param>
    public static bool Matches(string filter, string topic) =>
        Matches(Encoding.UTF8.GetBytes(filter), Encoding.UTF8.GetBytes(topic));

    /// <summary>True if the filter has the form of a shared subscription: it starts with <c>$share/</c>.</summary>
    /// <param name="utf8">The filter as it stands in SUBSCRIBE.</param>
    public static bool IsShared(ReadOnlySpan<byte> utf8) => utf8.StartsWith(SharePrefix);

    /// <summary>Splits <c>$share/name/filter</c>; false if the filter is not that of a shared subscription.</summary>
    /// <param name="utf8">A valid filter as it stands in SUBSCRIBE.</param>
    /// <param name="shareName">The name of the group.</param>
    /// <param name="filter">The filter that topics are matched against; without a share the whole.</param>
    public static bool TrySplitShared(
        ReadOnlySpan<byte> utf8,
        out ReadOnlySpan<byte> shareName,
        out ReadOnlySpan<byte> filter
    )
    {
        shareName = default;
        filter = utf8;
        if (!IsShared(utf8))
            return false;
        var rest = utf8[SharePrefix.Length..];
        var slash = rest.IndexOf((byte)'/');
        if (slash <= 0)
            return false;
        shareName = rest[..slash];
        filter = rest[(slash + 1)..];
        return true;
    }

    /// <summary>True if the filter contains <c>+</c> or <c>#</c>.</summary>
    /// <param name="utf8">A valid filter.</param>
    public static bool HasWildcard(ReadOnlySpan<byte> utf8) => utf8.IndexOfAny((byte)'+', (byte)'#') >= 0;

    /// <summary>The first rule of section 4.7 or 4.8 that a filter breaks.</summary>
    internal static Rule? FindViolation(ReadOnlySpan<byte> filter, ProtocolVersion version)
    {
        if (version >= ProtocolVersion.V5 && IsShared(filter))
        {
            var rest = filter[SharePrefix.Length..];
            var slash = rest.IndexOf((byte)'/');
            var name = slash < 0 ? rest : rest[..slash];
            if (name.IsEmpty || HasWildcard(name))
                return Rules.ShareName;
            if (slash < 0 || slash + 1 == rest.Length)
                return Rules.SharedFilter;
            filter = rest[(slash + 1)..];
        }
        if (filter.IsEmpty)
            return Rules.EmptyFilter;
        for (var i = filter.IndexOfAny((byte)'+', (byte)'#'); i >= 0 && i < filter.Length; i++)
        {
            var startsLevel = i == 0 || filter[i - 1] == '/';
            var isLast = i + 1 == filter.Length;
            if (filter[i] == '#' && !(startsLevel && isLast))
                return Rules.MultiLevelWildcard;
            if (filter[i] == '+' && !(startsLevel && (isLast || filter[i + 1] == '/')))
                return Rules.SingleLevelWildcard;
        }
        return null;
    }
}
