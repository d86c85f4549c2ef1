using System.Globalization;
using System.Text;
using MqttCheck.Reports.Page;
using static System.FormattableString;

namespace MqttCheck.Reports.Documents.Lanes;

/// <summary>
/// Draws lanes without a script. Words and the time axis are text of the page, so that they keep their size on a narrow
/// screen; the strips between them stretch. Each strip has its word and its number, so that it needs no colour.
/// </summary>
internal static class LaneDrawing
{
    private const int Height = 18;

    private static readonly Dictionary<LaneColour, string> s_colours = new()
    {
        [LaneColour.Bad] = "--bad",
        [LaneColour.Open] = "--soft",
        [LaneColour.Twice] = "--s1",
        [LaneColour.Slow] = "--s5",
        [LaneColour.Good] = "--good",
    };

    public static void Write(HtmlWriter html, LanePicture picture)
    {
        html.Add(
            $"""<figure class="card lanes"><figcaption><h3>{picture.Title}</h3><p>{picture.Explanation}</p></figcaption>"""
        );
        Legend(html, picture);
        foreach (var lane in picture.Lanes)
            Lane(html, picture, lane);
        Scale(html, picture.Seconds);
        html.Add($"</figure>");
    }

    /// <summary>The times of the axis that have a number: at most six, at whole numbers.</summary>
    public static IReadOnlyList<double> Ticks(double seconds)
    {
        var step = Math.Pow(10, Math.Floor(Math.Log10(Math.Max(seconds, 1e-3) / 5)));
        foreach (var factor in (double[])[1, 2, 5, 10])
        {
            if (seconds / (step * factor) > 5)
                continue;
            step *= factor;
            break;
        }
        return [.. Enumerable.Range(0, (int)Math.Floor(seconds / step + 1e-9) + 1).Select(tick => tick * step)];
    }

    /// <summary>
    /// The outline of the marks of a strip: a bar for each run of columns that are about equally full. Every column
    /// that counts anything has a bar.
    /// </summary>
    public static string Outline(IReadOnlyList<int> counts)
    {
        var path = new StringBuilder();
        var most = counts.DefaultIfEmpty(0).Max();
        for (var column = 0; column < counts.Count; )
        {
            var (from, level) = (column, LevelOf(counts[column], most));
            while (column < counts.Count && LevelOf(counts[column], most) == level)
                column++;
            if (level > 0)
                path.Append(
                    CultureInfo.InvariantCulture,
                    $"M{from} {Height}h{column - from}v-{level}h{from - column}z"
                );
        }
        return path.ToString();
    }

    // Three heights tell few from many, and one message has a mark that is as easy to see as that of many.
    private static int LevelOf(int count, int most) =>
        count == 0 ? 0
        : count * 3L <= most ? 8
        : count * 3L <= most * 2L ? 11
        : 14;

    private static void Legend(HtmlWriter html, LanePicture picture)
    {
        if (picture.Meanings.Count == 0)
            return;
        html.Add($"""<ul class="meanings">""");
        foreach (var one in picture.Meanings)
            html.Add(
                $"""<li><span class="swatch" style="background:var({s_colours[one.Colour]})"></span><strong>{one.Word}</strong> {one.Meaning}</li>"""
            );
        if (picture.Moments.Count > 0)
            html.Add(
                $"""<li><span class="swatch shade"></span><strong>shaded</strong> a fault at that place; a dashed line is its beginning or end</li>"""
            );
        html.Add($"</ul>");
    }

    private static void Lane(HtmlWriter html, LanePicture picture, PictureLane lane)
    {
        html.Add($"""<div class="lane"><h4>{lane.Name}</h4>""");
        if (lane.Notes.Count > 0)
            html.Add($"""<p class="notes">{string.Join("; ", lane.Notes)}</p>""");
        foreach (var strip in lane.Strips)
            Strip(html, picture, lane, strip);
        if (lane.Strips.Count == 0)
            Strip(html, picture, lane, new("no message", LaneColour.Open, [0]));
        html.Add($"</div>");
    }

    private static void Strip(HtmlWriter html, LanePicture picture, PictureLane lane, LaneStrip strip)
    {
        var number = strip.Total > 0 ? Number(strip.Total) : "";
        html.Add(
            $"""
            <div class="strip"><span>{strip.Word} {number}</span><svg viewBox="0 0 {strip.Counts.Count} {Height}" preserveAspectRatio="none" role="img" aria-label="{Said(
                picture,
                lane,
                strip
            )}">
            """
        );
        foreach (var shade in lane.Shades)
            html.Add(
                $"""<rect class="shade" x="{Text(shade.From * strip.Counts.Count)}" y="0" width="{Text(
                    Math.Max(0, shade.To - shade.From) * strip.Counts.Count
                )}" height="{Height}"></rect>"""
            );
        foreach (var moment in picture.Moments.Select(share => Text(share * strip.Counts.Count)))
            html.Add(
                $"""<line class="moment" x1="{moment}" x2="{moment}" y1="0" y2="{Height}" vector-effect="non-scaling-stroke"></line>"""
            );
        var colour = s_colours[strip.Colour];
        if (strip.Total > 0)
            html.Add(
                $"""<path d="{Outline(strip.Counts)}" vector-effect="non-scaling-stroke" style="fill:var({colour});stroke:var({colour})"></path>"""
            );
        html.Add($"</svg></div>");
    }

    private static void Scale(HtmlWriter html, double seconds)
    {
        html.Add($"""<div class="strip scale" aria-hidden="true"><span></span><div>""");
        foreach (var tick in Ticks(seconds))
            html.Add($"""<i style="left:{Text(100 * tick / seconds)}%">{Invariant($"{tick:0.###} s")}</i>""");
        html.Add($"</div></div>");
    }

    private static string Said(LanePicture picture, PictureLane lane, LaneStrip strip)
    {
        if (strip.Total == 0)
            return $"{lane.Name}: {strip.Word}";
        var (first, last) = (First(strip.Counts), Last(strip.Counts));
        var column = picture.Seconds / strip.Counts.Count;
        return Invariant($"{lane.Name}, {strip.Word}: {strip.Total}, between {first * column:0.#} s ")
            + Invariant($"and {(last + 1) * column:0.#} s");
    }

    private static int First(IReadOnlyList<int> counts) => counts.Index().First(count => count.Item > 0).Index;

    private static int Last(IReadOnlyList<int> counts) => counts.Index().Last(count => count.Item > 0).Index;

    private static string Number(long value) =>
        value.ToString("#,0", CultureInfo.InvariantCulture).Replace(',', '\u202f');

    private static string Text(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);
}
