using System.Globalization;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Page;
using static System.FormattableString;

namespace MqttCheck.Reports.Documents;

/// <summary>
/// Draws an interval chart without a script: one line of SVG per estimate, with the label and the numbers as text, so
/// that it needs no second table.
/// </summary>
internal static class IntervalDrawing
{
    private static readonly Dictionary<DocumentTone, string> s_colours = new()
    {
        [DocumentTone.Good] = "--good",
        [DocumentTone.Bad] = "--bad",
        [DocumentTone.Warning] = "--warn",
        [DocumentTone.Plain] = "--s1",
    };

    private const double Width = 1000,
        Row = 20,
        Margin = 12;

    public static void Write(HtmlWriter html, IntervalChart chart)
    {
        html.Add(
            $"""<figure class="card"><figcaption><h3>{chart.Title}</h3><p>{chart.Explanation} {Marks(chart)}</p></figcaption>"""
        );
        html.Add($"""<div class="scroll flush"><table class="results"><tbody>""");
        foreach (var line in chart.Lines)
        {
            html.Add(
                $"""
                <tr><th scope="row" data-label="">{line.Label}</th><td data-label="Estimate"><strong>{Number(
                    line.Estimate
                )}</strong> <span class="interval">{Interval(line)}</span></td>
                <td data-label="" style="width:60%">
                """
            );
            Draw(html, chart, line);
            html.Add($"</td></tr>");
        }
        html.Add($"</tbody></table></div></figure>");
    }

    /// <summary>A number of the chart as text.</summary>
    public static string Number(double value) =>
        double.IsFinite(value) ? value.ToString("0.000", CultureInfo.InvariantCulture) : "–";

    /// <summary>The interval of a line as text.</summary>
    public static string Interval(IntervalLine line) =>
        line.Interval is { } interval ? $"{Number(interval.Lower)} to {Number(interval.Upper)}" : "";

    /// <summary>The marks in words.</summary>
    public static string Marks(IntervalChart chart) =>
        string.Join(" ", chart.Marks.Select(mark => Invariant($"Dashed line: {mark.Key}, {mark.Value:0.###}.")));

    private static void Draw(HtmlWriter html, IntervalChart chart, IntervalLine line)
    {
        var colour = s_colours[line.Tone];
        html.Add(
            $"""<svg viewBox="0 0 {Text(Width)} {Text(Row)}" preserveAspectRatio="none" style="display:block;width:100%;height:22px" aria-hidden="true"><title>{Said(line)}</title>"""
        );
        if (chart.Band is { } band)
            html.Add(
                $"""<rect x="{X(band.Lower)}" y="0" width="{Text(At(band.Upper) - At(band.Lower))}" height="{Text(Row)}" style="fill:var(--line)"></rect>"""
            );
        foreach (var mark in chart.Marks)
            html.Add(
                $"""<line x1="{X(mark.Value)}" x2="{X(mark.Value)}" y1="0" y2="{Text(Row)}" vector-effect="non-scaling-stroke" style="stroke:var(--soft);stroke-dasharray:3 3"></line>"""
            );
        if (line.Interval is { } interval)
            html.Add(
                $"""<line x1="{X(interval.Lower)}" x2="{X(interval.Upper)}" y1="10" y2="10" vector-effect="non-scaling-stroke" style="stroke:var({colour});stroke-width:3"></line>"""
            );
        if (double.IsFinite(line.Estimate))
            html.Add(
                $"""<line x1="{X(line.Estimate)}" x2="{X(line.Estimate)}" y1="3" y2="17" vector-effect="non-scaling-stroke" style="stroke:var({colour});stroke-width:5"></line>"""
            );
        html.Add($"</svg>");

        string X(double value) => Text(At(value));
        double At(double value) =>
            Margin + (Width - 2 * Margin) * Math.Clamp((value - chart.Minimum) / (chart.Maximum - chart.Minimum), 0, 1);
    }

    // A browser shows this over the row.
    private static string Said(IntervalLine line) =>
        Words.Number(line.Estimate)
        + (line.Interval is { } interval ? $", {Words.Number(interval.Lower)} to {Words.Number(interval.Upper)}" : "");

    private static string Text(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);
}
