using MqttCheck.Reports;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;

namespace MqttCheck.Plots;

/// <summary>
/// The charts of a report's page as pictures: the same descriptions, with the same headings and explanations, in the
/// same order.
/// </summary>
internal static class ReportPictures
{
    /// <summary>The pictures of a report; a chart for which it holds nothing to draw is left out.</summary>
    /// <param name="input">The report.</param>
    public static IReadOnlyList<Picture> Of(ReportInput input)
    {
        return [.. HtmlReport.Figures(input).Select(Of).OfType<Picture>().DistinctBy(picture => picture.Name)];
    }

    private static Picture? Of(Figure figure) =>
        figure.Chart is { } chart
            ? new(Picture.FileName(figure.StillName), figure.StillTitle, figure.StillCaption, chart)
            : null;
}
