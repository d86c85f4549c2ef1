using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Page;

/// <summary>The charts of a page, and what its threshold and setup can be.</summary>
/// <param name="Figures">The charts by the ids of their figures.</param>
/// <param name="Setups">The estimates of each prediction, for any threshold.</param>
/// <param name="Setup">The setup that the page opens with.</param>
/// <param name="Threshold">The threshold that it opens with; NaN where no prediction has a distribution.</param>
/// <param name="Named">The thresholds that the report names.</param>
internal sealed record PageCharts(
    IReadOnlyDictionary<string, Chart> Figures,
    IReadOnlyList<Estimates> Setups,
    int Setup,
    double Threshold,
    IReadOnlyList<double> Named
)
{
    /// <summary>The JSON document of a report, with the charts of its page as a further property.</summary>
    /// <param name="input">The report.</param>
    /// <param name="figures">The figures of its page.</param>
    public static string ToText(ReportInput input, IEnumerable<Figure> figures)
    {
        var document = JsonReport.ToCompactText(input);
        var (setup, threshold) = WorstChart.OpeningOf(input) ?? (0, double.NaN);
        var charts = new PageCharts(
            figures
                .Where(figure => figure.Chart is not null)
                .ToDictionary(figure => figure.Id, figure => figure.Chart!),
            [.. input.Predictions.Select(Estimates.Of)],
            setup,
            threshold,
            [.. WorstChart.Named(input).Distinct()]
        );
        return $"{document[..^1]},\"charts\":{ChartJson.Of(charts, document)}}}";
    }
}
