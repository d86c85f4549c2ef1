using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Clusters.Topologies;

/// <summary>The rules for names of nodes, sites and topologies.</summary>
internal static class TopologyNames
{
    public const string AllowedNode = "a lower-case letter, then up to 31 lower-case letters and digits, and not 'any'";

    public const string AllowedName = "letters, digits, '.', '_' and '-'";

    public static bool IsNode(string text) =>
        text.Length is >= 1 and <= 32
        && char.IsAsciiLetterLower(text[0])
        && text.All(letter => char.IsAsciiLetterLower(letter) || char.IsAsciiDigit(letter))
        && text != ClusterFault.Any;

    public static bool IsName(string text) =>
        text.Length > 0 && text.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '.' or '_' or '-');
}
