using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Models;

/// <summary>The value of a property with its interval.</summary>
/// <param name="How">Confidence, rule and number of runs, in words.</param>
internal sealed record ModelEstimate(string Property, double Value, Interval Interval, string How)
{
    /// <inheritdoc/>
    public override string ToString() =>
        Invariant($"{Property} = {Value:0.######} in [{Interval.Lower:0.######}, {Interval.Upper:0.######}] ({How})");
}
