using System.Globalization;
using System.Numerics;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using MqttCheck.Plots.Drawing;

namespace MqttCheck.Plots.Tests;

/// <summary>An SVG file as a reader sees it: its size, its texts with the room that they take, its colours.</summary>
internal sealed partial class SvgPicture
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";
    private readonly XElement _root;

    public SvgPicture(string text)
    {
        _root = XDocument.Parse(text).Root!;
        (Width, Height) = (Number(_root.Attribute("width")!.Value), Number(_root.Attribute("height")!.Value));
        Labels = [.. _root.Descendants(s_svg + "text").Select(Box)];
    }

    public double Width { get; }

    public double Height { get; }

    public string Title => _root.Element(s_svg + "title")!.Value;

    public string Description => _root.Element(s_svg + "desc")!.Value;

    public IReadOnlyList<LabelBox> Labels { get; }

    public XElement Root => _root;

    /// <summary>The fill and stroke colours of what is no text and does not shine through.</summary>
    public IReadOnlyList<string> Colours =>
        [
            .. _root
                .Descendants()
                .Where(element => element.Name != s_svg + "text" && element.Attribute("fill-opacity") is null)
                .SelectMany(element => new[] { element.Attribute("fill")?.Value, element.Attribute("stroke")?.Value })
                .OfType<string>()
                .Select(colour => colour.ToLowerInvariant())
                .Distinct(),
        ];

    /// <summary>
    /// What is wrong with the texts: those cut by the edge of the picture, and those that cover each other.
    /// </summary>
    public IReadOnlyList<string> Problems()
    {
        var problems = new List<string>();
        foreach (var label in Labels.Where(label => !label.IsInside(Width, Height)))
            problems.Add($"'{label.Text}' is not inside of the picture");
        for (var i = 0; i < Labels.Count; i++)
        {
            for (var j = 0; j < i; j++)
                if (Labels[i].Overlaps(Labels[j]))
                    problems.Add($"'{Labels[i].Text}' covers '{Labels[j].Text}'");
        }
        return problems;
    }

    private static LabelBox Box(XElement text)
    {
        var matrix = Matrix3x2.Identity;
        foreach (Match step in Transform().Matches(text.Attribute("transform")?.Value ?? ""))
        {
            double[] values =
            [
                .. step.Groups[2].Value.Split([' ', ','], StringSplitOptions.RemoveEmptyEntries).Select(Number),
            ];
            matrix =
                step.Groups[1].Value switch
                {
                    "translate" => Matrix3x2.CreateTranslation(
                        (float)values[0],
                        values.Length > 1 ? (float)values[1] : 0
                    ),
                    "rotate" => Matrix3x2.CreateRotation((float)(values[0] * Math.PI / 180)),
                    "matrix" => new(
                        (float)values[0],
                        (float)values[1],
                        (float)values[2],
                        (float)values[3],
                        (float)values[4],
                        (float)values[5]
                    ),
                    _ => throw new InvalidOperationException($"The transformation '{step.Value}' is not known here."),
                } * matrix;
        }
        var (content, size) = (text.Value.Trim(), Number(text.Attribute("font-size")!.Value));
        var width = Typefaces.Width(content, (float)size, text.Attribute("font-weight") is not null);
        var (x, y) = (Number(text.Attribute("x")!.Value), Number(text.Attribute("y")!.Value));
        var left = text.Attribute("text-anchor")!.Value switch
        {
            "end" => x - width,
            "middle" => x - width / 2,
            _ => x,
        };
        // From the top of a capital to what hangs below the line.
        (double X, double Y)[] corners =
        [
            (left, y - .73 * size),
            (left + width, y - .73 * size),
            (left + width, y + .22 * size),
            (left, y + .22 * size),
        ];
        return new(
            content,
            size,
            text.Attribute("fill")?.Value ?? "",
            [
                .. corners
                    .Select(corner => Vector2.Transform(new((float)corner.X, (float)corner.Y), matrix))
                    .Select(corner => ((double)corner.X, (double)corner.Y)),
            ]
        );
    }

    private static double Number(string text) => double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"(\w+)\(([^)]*)\)")]
    private static partial Regex Transform();
}
