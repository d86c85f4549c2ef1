using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace MqttCheck.Plots.Drawing;

/// <summary>
/// Makes an SVG file of what Skia writes. Skia places every letter for the font it has measured with; here each text
/// gets one anchor instead, so that the fonts of the viewer, which are those of the report's page, set it well.
/// </summary>
internal static partial class SvgText
{
    private static readonly XNamespace Svg = "http://www.w3.org/2000/svg";

    public static string Finish(string xml, string title, string caption)
    {
        var document = XDocument.Parse(xml);
        var root = document.Root!;
        root.SetAttributeValue("viewBox", $"0 0 {root.Attribute("width")!.Value} {root.Attribute("height")!.Value}");
        root.SetAttributeValue("role", "img");
        foreach (var text in root.Descendants(Svg + "text").ToList())
            Anchor(text);
        foreach (var path in root.Descendants(Svg + "path"))
            path.SetAttributeValue(
                "d",
                LongNumber()
                    .Replace(
                        path.Attribute("d")?.Value ?? "",
                        number => Text(double.Parse(number.Value, CultureInfo.InvariantCulture))
                    )
            );
        Number(root);
        root.AddFirst(new XElement(Svg + "title", title), new XElement(Svg + "desc", caption));
        return root.ToString(SaveOptions.DisableFormatting) + "\n";
    }

    // Skia numbers the parts of all pictures of a process, some of which are drawn side by side. The same picture is
    // the same file only with numbers of its own.
    private static void Number(XElement root)
    {
        var numbers = new Dictionary<string, string>();
        foreach (var id in root.Descendants().Attributes("id"))
        {
            numbers[id.Value] = $"part-{numbers.Count + 1}";
            id.Value = numbers[id.Value];
        }
        foreach (var attribute in root.Descendants().Attributes())
            attribute.Value = Reference()
                .Replace(
                    attribute.Value,
                    reference =>
                        numbers.TryGetValue(reference.Groups[1].Value, out var number) ? "#" + number : reference.Value
                );
    }

    private static void Anchor(XElement text)
    {
        var content = text.Value.Trim();
        var (size, isBold) = (Number(text.Attribute("font-size")), text.Attribute("font-weight") is not null);
        var (x, y) = (Number(text.Attribute("x")), Number(text.Attribute("y")));
        var width = Typefaces.Width(content, (float)size, isBold);
        // A label begins at 0, minus half its width or minus its width, by its alignment.
        var (anchor, shift) =
            Math.Abs(x) < width / 4 ? ("start", 0.0)
            : Math.Abs(x + width) < width / 4 ? ("end", width)
            : ("middle", width / 2);
        text.Value = content;
        text.SetAttributeValue("x", Text(x + shift));
        text.SetAttributeValue("y", Text(y));
        text.SetAttributeValue("text-anchor", anchor);
        text.SetAttributeValue("font-family", Palette.FontFamily);
    }

    [GeneratedRegex(@"-?\d+\.\d{3,}(?:e-?\d+)?", RegexOptions.CultureInvariant)]
    private static partial Regex LongNumber();

    [GeneratedRegex(@"#(cl_[0-9a-f]+)", RegexOptions.CultureInvariant)]
    private static partial Regex Reference();

    private static double Number(XAttribute? attribute) =>
        attribute is null
            ? 0
            : double.Parse(attribute.Value.Split(',')[0], NumberStyles.Float, CultureInfo.InvariantCulture);

    private static string Text(double value) => Math.Round(value, 2).ToString(CultureInfo.InvariantCulture);
}
