using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;

namespace MqttCheck.Reports;

/// <summary>
/// The report as one HTML file that needs nothing else: no network, no second file. It reads on a phone, on paper and
/// without JavaScript, where tables take the place of charts.
/// </summary>
public static class HtmlReport
{
    /// <summary>Writes the page.</summary>
    /// <param name="writer">The writer of the page, in UTF-8; it stays open.</param>
    /// <param name="input">The results to show.</param>
    public static void Write(TextWriter writer, ReportInput input) => Write(writer, input, Viewer.Script);

    /// <summary>The charts of the page, in its order: what else draws them says the same about them.</summary>
    internal static IReadOnlyList<Figure> Figures(ReportInput input)
    {
        var html = new HtmlWriter();
        WriteSections(html, input, hasViewer: true);
        return html.Figures;
    }

    private static void WriteSections(HtmlWriter html, ReportInput input, bool hasViewer)
    {
        HeaderSection.Write(html, input, hasViewer);
        ResultSection.Write(html, input);
        PredictionSection.Write(html, input);
        EvidenceSection.Write(html, input);
        LearningSection.Write(html, input);
        LogSection.Write(html, input);
        EnvironmentSection.Write(html, input);
    }

    // A page without the viewer is what a reader without JavaScript has.
    internal static void Write(TextWriter writer, ReportInput input, string? viewer)
    {
        var html = new HtmlWriter();
        html.Add($"""<!doctype html><html lang="en"><head><meta charset="utf-8">""");
        // Nothing may be fetched, and no script but the viewer may run, whatever the data contain.
        var scripts = viewer is null ? "'none'" : Viewer.SourceHash(viewer);
        var policy =
            "default-src 'none'; style-src 'unsafe-inline'; script-src "
            + $"{scripts}; img-src data:; base-uri 'none'; form-action 'none'";
        html.Add(
            $"""
            <meta http-equiv="Content-Security-Policy" content="{policy}">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="generator" content="MqttCheck {input.ToolVersion}">
            <title>{ReportSummary.Of(input).Headline}: {input.Broker?.Name ?? "MqttCheck report"}</title>
            <link rel="icon" href="data:,">
            <style>{new Html(Viewer.Style)}</style>
            </head><body><main>
            """
        );
        WriteSections(html, input, viewer is not null);
        html.Add($"</main>");
        if (viewer is not null)
        {
            html.Add(
                $"""<script type="application/json" id="report-data">{new Html(PageCharts.ToText(input, html.Figures))}</script>"""
            );
            html.Add($"<script>{new Html(viewer)}</script>");
        }
        html.Add($"</body></html>");
        writer.Write(html.ToString());
        writer.Flush();
    }
}
