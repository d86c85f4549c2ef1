using static System.FormattableString;

namespace MqttCheck.Clusters.Mosquitto;

/// <summary>A line of a configuration file of Mosquitto.</summary>
/// <param name="File">The path, as given or as included.</param>
/// <param name="Line">The number of the line, from 1.</param>
internal readonly record struct ConfPlace(string File, int Line)
{
    /// <summary>For messages: <c>site.conf:12</c>.</summary>
    public override string ToString() => Invariant($"{File}:{Line}");
}
