using System.Globalization;

namespace MqttCheck.Clusters.Monitors;

/// <summary>Something that happened on the way to a violation.</summary>
/// <param name="Nanoseconds">When, from the first message that counts.</param>
/// <param name="What">The event, in a sentence without a full stop.</param>
internal sealed record HistoryStep(long Nanoseconds, string What)
{
    /// <summary>When, in words; what came before the first message has no time.</summary>
    public string Time =>
        Nanoseconds < 0 ? "before" : string.Create(CultureInfo.InvariantCulture, $"{Nanoseconds / 1e9:0.000} s");
}
