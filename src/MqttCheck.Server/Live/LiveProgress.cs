using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Server.Live;

/// <summary>How far work on the live broker is.</summary>
/// <param name="Share">The share of the whole work that is done, 0 .. 1; NaN where nothing new is known.</param>
/// <param name="Activity">What is done now, in a few words; empty where nothing new is.</param>
/// <param name="Lines">The events since the last message, for people.</param>
/// <param name="Verdicts">The verdicts so far, with their paths; empty where none are sought.</param>
internal sealed record LiveProgress(
    double Share,
    string Activity,
    IReadOnlyList<string> Lines,
    IReadOnlyList<VerdictReport> Verdicts
)
{
    /// <summary>The path of the first verdict's test, as the report draws it; null where there is none.</summary>
    public Chart? Chart => Verdicts is [var first, ..] ? EvidenceChart.Of(first) : null;
}
