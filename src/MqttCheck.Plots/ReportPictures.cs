using MqttCheck.Plots.Charts;
using MqttCheck.Reports;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;

namespace MqttCheck.Plots;

/// <summary>
/// The charts of a report's page as pictures: from the same data, with the same headings and explanations, in the same
/// order.
/// </summary>
internal static class ReportPictures
{
    private static readonly Dictionary<string, Func<ReportInput, Figure, Picture?>> s_charts = new()
    {
        ["comparison"] = ComparisonChart.Of,
        ["correlation"] = CorrelationChart.Of,
        ["evidence"] = EvidenceChart.Of,
        ["histogram"] = HistogramChart.Of,
        ["latency-time"] = TimeCharts.Latency,
        ["pit"] = PitChart.Of,
        ["probability"] = ProbabilityChart.Of,
        ["quantiles"] = QuantilesChart.Of,
        ["rate-time"] = TimeCharts.Rate,
        ["residuals"] = ResidualsChart.Of,
        ["scatter"] = ScatterChart.Of,
        ["worst"] = WorstChart.Of,
    };

    /// <summary>The pictures of a report; a chart for which it holds nothing to draw is left out.</summary>
    /// <param name="input">The report.</param>
    public static IReadOnlyList<Picture> Of(ReportInput input)
    {
        return
        [
            .. HtmlReport
                .Figures(input)
                .Select(figure => Draw(input, figure))
                .OfType<Picture>()
                .DistinctBy(picture => picture.Name),
        ];
    }

    internal static Picture? Draw(ReportInput input, Figure figure) =>
        s_charts.TryGetValue(figure.Chart, out var draw)
            ? draw(input, figure)
            : throw new ArgumentException($"There is no picture of the chart '{figure.Chart}'.", nameof(figure));
}
