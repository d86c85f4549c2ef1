using System.Globalization;
using MqttCheck.Reports.Page;

namespace MqttCheck.Reports.Documents;

/// <summary>
/// Draws curves as SVG without a script. Each curve has its name at its end and a line pattern of its own, so that it
/// needs no colours to be told apart.
/// </summary>
internal static class CurveDrawing
{
    private const double Width = 760,
        Height = 340,
        Left = 64,
        Right = 96,
        Top = 14,
        Bottom = 44;
    private static readonly string[] s_patterns = ["none", "7 4", "2 3", "10 3 2 3"];

    public static void Write(HtmlWriter html, CurveChart chart)
    {
        html.Add($"""<figure class="card"><figcaption><h3>{chart.Title}</h3><p>{chart.Explanation}</p></figcaption>""");
        var points = chart.Lines.SelectMany(line => line.Points).ToList();
        if (points.Count > 0)
            Draw(html, chart, points);
        html.Add($"</figure>");
    }

    /// <summary>The powers of ten, with their doubles and fives where there are few, that lie in a range.</summary>
    public static IReadOnlyList<double> Ticks(double low, double high)
    {
        var ticks = new List<double>();
        double[] steps = high / low < 1000 ? [1, 2, 5] : [1];
        for (var exponent = (int)Math.Floor(Math.Log10(low)); exponent <= Math.Ceiling(Math.Log10(high)); exponent++)
        {
            foreach (var step in steps)
            {
                var tick = step * Math.Pow(10, exponent);
                if (tick >= low * .999 && tick <= high * 1.001)
                    ticks.Add(tick);
            }
        }
        return ticks;
    }

    private static void Draw(HtmlWriter html, CurveChart chart, List<CurvePoint> points)
    {
        var (xLow, xHigh) = Range(points.Select(point => point.X).Concat(chart.Marks.Select(mark => mark.Value)));
        var (yLow, yHigh) = Range(points.Select(point => point.Y));
        double X(double x) => Left + (Width - Left - Right) * Math.Log(x / xLow) / Math.Log(xHigh / xLow);
        double Y(double y) => Height - Bottom - (Height - Top - Bottom) * Math.Log(y / yLow) / Math.Log(yHigh / yLow);

        html.Add(
            $"""<svg viewBox="0 0 {Text(Width)} {Text(Height)}" style="display:block;width:100%;max-width:56rem;font-size:12px" role="img" aria-label="{chart.Title}">"""
        );
        Axes(html, chart, Ticks(xLow, xHigh), Ticks(yLow, yHigh), X, Y);
        foreach (var mark in chart.Marks)
        {
            html.Add(
                $"""
                <line x1="{Text(X(mark.Value))}" x2="{Text(X(mark.Value))}" y1="{Text(Top)}" y2="{Text(
                    Height - Bottom
                )}" style="stroke:var(--bad);stroke-dasharray:3 3"></line>
                <text x="{Text(X(mark.Value) - 4)}" y="{Text(
                    Top + 10
                )}" text-anchor="end" style="fill:var(--bad)">{mark.Key}</text>
                """
            );
        }
        Lines(html, chart, X, Y);
        Names(html, chart, X, Y);
        html.Add($"</svg>");
    }

    private static void Axes(
        HtmlWriter html,
        CurveChart chart,
        IEnumerable<double> xTicks,
        IEnumerable<double> yTicks,
        Func<double, double> x,
        Func<double, double> y
    )
    {
        foreach (var tick in xTicks)
        {
            html.Add(
                $"""
                <line x1="{Text(x(tick))}" x2="{Text(x(tick))}" y1="{Text(Top)}" y2="{Text(
                    Height - Bottom
                )}" style="stroke:var(--line)"></line>
                <text x="{Text(x(tick))}" y="{Text(
                    Height - Bottom + 16
                )}" text-anchor="middle" style="fill:var(--soft)">{Number(tick)}</text>
                """
            );
        }
        foreach (var tick in yTicks)
        {
            html.Add(
                $"""
                <line x1="{Text(Left)}" x2="{Text(Width - Right)}" y1="{Text(y(tick))}" y2="{Text(
                    y(tick)
                )}" style="stroke:var(--line)"></line>
                <text x="{Text(Left - 6)}" y="{Text(y(tick) + 4)}" text-anchor="end" style="fill:var(--soft)">{Number(
                    tick
                )}</text>
                """
            );
        }
        html.Add(
            $"""
            <text x="{Text((Left + Width - Right) / 2)}" y="{Text(
                Height - 8
            )}" text-anchor="middle" style="fill:var(--soft)">{chart.XLabel}</text>
            <text x="14" y="{Text((Top + Height - Bottom) / 2)}" text-anchor="middle" transform="rotate(-90 14 {Text(
                (Top + Height - Bottom) / 2
            )})" style="fill:var(--soft)">{chart.YLabel}</text>
            """
        );
    }

    private static void Lines(HtmlWriter html, CurveChart chart, Func<double, double> x, Func<double, double> y)
    {
        foreach (var (line, index) in chart.Lines.Select((line, index) => (line, index)))
        {
            if (line.Points.Count == 0)
                continue;
            var path = string.Join(' ', line.Points.Select(point => $"{Text(x(point.X))},{Text(y(point.Y))}"));
            html.Add(
                $"""<polyline points="{path}" style="fill:none;stroke:var(--s1);stroke-width:2;stroke-dasharray:{s_patterns[index % s_patterns.Length]}"></polyline>"""
            );
            foreach (var point in line.Points)
                html.Add(
                    $"""<circle cx="{Text(x(point.X))}" cy="{Text(y(point.Y))}" r="3" style="fill:var(--s1)"><title>{line.Label}: {Number(point.Y)} at {Number(point.X)}</title></circle>"""
                );
        }
    }

    private static void Names(HtmlWriter html, CurveChart chart, Func<double, double> x, Func<double, double> y)
    {
        // Names from the highest curve down; those that would cover each other move apart.
        var at = double.NegativeInfinity;
        foreach (
            var line in chart.Lines.Where(line => line.Points.Count > 0).OrderByDescending(line => line.Points[^1].Y)
        )
        {
            at = Math.Max(at + 13, y(line.Points[^1].Y) + 4);
            html.Add(
                $"""<text x="{Text(x(line.Points[^1].X) + 8)}" y="{Text(at)}" style="fill:var(--s1)">{line.Label}</text>"""
            );
        }
    }

    private static (double Low, double High) Range(IEnumerable<double> values)
    {
        var (low, high) = (double.PositiveInfinity, 0.0);
        foreach (var value in values)
            (low, high) = (Math.Min(low, value), Math.Max(high, value));
        return (low * .9, Math.Max(high * 1.1, low * 1.5));
    }

    private static string Text(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);

    private static string Number(double value) =>
        value.ToString(value >= 1000 ? "#,0" : "0.###", CultureInfo.InvariantCulture);
}
