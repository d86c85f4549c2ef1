using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>
/// The words in which deviations speak of filters, topics and qualities of service. They leave out names, so that they
/// are the same in every run.
/// </summary>
internal static class Wording
{
    private static readonly string[] s_packets =
    [
        .. Enumerable.Range(0, 16).Select(type => ((PacketType)type).ToString().ToUpperInvariant()),
    ];

    public static string Filters(IEnumerable<string> filters, ProtocolVersion version) =>
        string.Join(
            " and ",
            filters.Select(filter => Filter(filter, version)).Distinct().Order(StringComparer.Ordinal)
        );

    public static string Filter(string filter, ProtocolVersion version)
    {
        var isShared = version == ProtocolVersion.V5 && filter.StartsWith("$share/", StringComparison.Ordinal);
        var kind = (
            filter.Contains('+', StringComparison.Ordinal),
            filter.Contains('#', StringComparison.Ordinal)
        ) switch
        {
            (true, true) => "+ and #",
            (true, false) => "+",
            (false, true) => "#",
            _ => "exact",
        };
        return $"{(isShared ? "shared " : "")}{kind} filter{Levels(isShared ? "" : filter)}";
    }

    /// <summary>Describes the levels and characters of a topic that may matter, apart from its name.</summary>
    public static string Levels(string topic)
    {
        var marks = new List<string>();
        if (topic.StartsWith('$'))
            marks.Add("beginning with $");
        if (topic.StartsWith('/') || topic.EndsWith('/') || topic.Contains("//", StringComparison.Ordinal))
            marks.Add("with an empty level");
        if (topic.AsSpan().IndexOfAnyExceptInRange(' ', '~') >= 0)
            marks.Add("with characters beyond ASCII");
        var special = string.Concat(
            topic.Where(c => c is ' ' or '.' or '*' or '>' or '%' or ':' or ';').Distinct().Order()
        );
        if (special.Length > 0)
            marks.Add($"with '{special}'");
        if (topic.Length > 100)
            marks.Add("that is long");
        return marks.Count == 0 ? "" : " " + string.Join(" ", marks);
    }

    /// <summary>The same of several, where it is the same for all that have any.</summary>
    public static string Levels(IEnumerable<string> topics) =>
        topics.Select(Levels).Where(marks => marks.Length > 0).Distinct().ToArray() is [var marks] ? marks : "";

    /// <summary>The filters that match a publication, and its topic.</summary>
    public static string Match(ExpectedDelivery expected, ProtocolVersion version) =>
        $"{Filters(expected.Filters, version)}{(expected.Filters.Count > 1 ? " overlapping" : "")}, "
        + $"topic{Levels(expected.Publication.Topic)}";

    /// <summary>Qualities of service that are given as bits.</summary>
    public static string QosBits(int bits) =>
        string.Join(" or ", Enumerable.Range(0, 3).Where(qos => (bits & (1 << qos)) != 0));

    public static string Ordinal(int number) =>
        number switch
        {
            2 => "second",
            3 => "third",
            _ => $"{number}th",
        };

    /// <summary>The name of a packet type as the standard writes it.</summary>
    public static string Packet(PacketType type) => s_packets[(int)type];
}
