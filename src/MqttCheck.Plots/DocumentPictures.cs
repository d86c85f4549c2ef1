using MqttCheck.Plots.Charts;
using MqttCheck.Reports.Documents;

namespace MqttCheck.Plots;

/// <summary>The charts of a document as pictures.</summary>
internal static class DocumentPictures
{
    /// <summary>The pictures of a document; a chart with nothing to draw is left out.</summary>
    /// <param name="document">The document.</param>
    public static IReadOnlyList<Picture> Of(ReportDocument document)
    {
        return
        [
            .. document
                .Sections.SelectMany(section => section.Blocks)
                .Select(Of)
                .OfType<Picture>()
                .DistinctBy(picture => picture.Name),
        ];
    }

    /// <summary>The picture of a part of a document; null where it is no chart, or has nothing to draw.</summary>
    /// <param name="block">The part.</param>
    public static Picture? Of(DocumentBlock block) =>
        block switch
        {
            IntervalChart intervals => IntervalsChart.Of(intervals),
            CurveChart curves => CurvesChart.Of(curves),
            _ => null,
        };
}
