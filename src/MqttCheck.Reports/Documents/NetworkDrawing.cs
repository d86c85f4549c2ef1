using System.Globalization;
using MqttCheck.Reports.Page;

namespace MqttCheck.Reports.Documents;

/// <summary>Draws places on a circle and the ways between them as SVG without a script.</summary>
internal static class NetworkDrawing
{
    // A picture of this width fits a telephone, and its letters are as large there as elsewhere.
    private const double Width = 340;

    // Numbers of more ways than these would stand over each other.
    private const int MostNumbers = 4;

    private const int LongestName = 16;

    public static void Write(HtmlWriter html, NetworkPicture picture)
    {
        var (places, most) = (picture.Places.Count, Math.Max(1, picture.Ways.Select(way => way.Count).Max()));
        var height = places == 2 ? 80 : Width - 20;
        html.Add(
            $"""
            <figure class="card"><figcaption><h3>{picture.Title}</h3><p>{picture.Explanation}</p></figcaption>
            <svg viewBox="0 0 {Text(Width)} {Text(
                height
            )}" style="display:block;width:100%;max-width:{Text(Width)}px;font-size:13px" role="img" aria-label="{Said(picture)}">
            """
        );
        foreach (var way in picture.Ways)
        {
            var ((x1, y1), (x2, y2)) = (At(way.From), At(way.To));
            var thickness = 1 + 7.0 * way.Count / most;
            html.Add(
                $"""<line x1="{Text(x1)}" y1="{Text(y1)}" x2="{Text(x2)}" y2="{Text(y2)}" style="stroke:var(--s1);stroke-width:{Text(thickness)}"></line>"""
            );
        }
        foreach (var way in picture.Ways.Count <= MostNumbers ? picture.Ways : [])
        {
            var ((x1, y1), (x2, y2)) = (At(way.From), At(way.To));
            html.Add(
                $"""<text x="{Text((x1 + x2) / 2)}" y="{Text((y1 + y2) / 2 - 7)}" text-anchor="middle" style="fill:var(--ink);stroke:var(--surface);stroke-width:3px;paint-order:stroke">{Number(way.Count)}</text>"""
            );
        }
        for (var place = 0; place < places; place++)
            Place(html, picture.Places[place], At(place), picture.Disturbed.Contains(place));
        html.Add($"</svg></figure>");

        (double X, double Y) At(int place)
        {
            if (places == 2)
                return (place == 0 ? 60 : Width - 60, 40);
            var angle = 2 * Math.PI * place / places - Math.PI / 2;
            var radius = Width / 2 - 60;
            return (Width / 2 + radius * Math.Cos(angle), (height - 20) / 2 + radius * Math.Sin(angle));
        }
    }

    private static void Place(HtmlWriter html, string name, (double X, double Y) at, bool isDisturbed) =>
        html.Add(
            $"""
            <circle cx="{Text(at.X)}" cy="{Text(at.Y)}" r="13" style="fill:var(--surface);stroke:var(--{(
                isDisturbed ? "bad" : "ink"
            )});stroke-width:2.5{(isDisturbed ? ";stroke-dasharray:5 3" : "")}"></circle>
            <text x="{Text(at.X)}" y="{Text(at.Y + 29)}" text-anchor="middle" style="fill:var(--ink)">{(
                name.Length > LongestName ? name[..LongestName] + "…" : name
            )}</text>
            """
        );

    private static string Said(NetworkPicture picture) =>
        $"{picture.Title}: "
        + string.Join(
            ", ",
            picture.Ways.Select(way => $"{picture.Places[way.From]} and {picture.Places[way.To]} {Number(way.Count)}")
        );

    private static string Number(long value) =>
        value.ToString("#,0", CultureInfo.InvariantCulture).Replace(',', '\u202f');

    private static string Text(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);
}
