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
        figure.Chart switch
        {
            "comparison" => ComparisonChart.Of(input, figure),
            "correlation" => CorrelationChart.Of(input, figure),
            "evidence" => EvidenceChart.Of(input, figure),
            "histogram" => HistogramChart.Of(input, figure),
            "latency-time" => TimeCharts.Latency(input, figure),
            "pit" => PitChart.Of(input, figure),
            "probability" => ProbabilityChart.Of(input, figure),
            "quantiles" => QuantilesChart.Of(input, figure),
            "rate-time" => TimeCharts.Rate(input, figure),
            "residuals" => ResidualsChart.Of(input, figure),
            "scatter" => ScatterChart.Of(input, figure),
            "worst" => WorstChart.Of(input, figure),
            _ => throw new ArgumentException($"There is no picture of the chart '{figure.Chart}'.", nameof(figure)),
        };
}
