using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Clusters.Topologies;

/// <summary>The rules for names of nodes, sites and topologies.</summary>
internal static class TopologyNames
{
    /// <summary>The word for the clients of a node in the language of faults.</summary>
    public const string Clients = "clients";

    // The language of faults has a meaning for them.
    private static readonly string[] s_taken = [Clients, .. Enum.GetValues<FaultReach>().Select(FaultKinds.Word)];

    public static string AllowedNode =>
        $"a lower-case letter, then up to 31 lower-case letters and digits, and not {string.Join(", ", s_taken)}";

    public const string AllowedName = "letters, digits, '.', '_' and '-'";

    public static bool IsNode(string text) =>
        text.Length is >= 1 and <= 32
        && char.IsAsciiLetterLower(text[0])
        && text.All(letter => char.IsAsciiLetterLower(letter) || char.IsAsciiDigit(letter))
        && !s_taken.Contains(text);

    public static bool IsName(string text) =>
        text.Length > 0 && text.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '.' or '_' or '-');
}
