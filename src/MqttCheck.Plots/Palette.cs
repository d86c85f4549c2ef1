using MqttCheck.Reports.Marks;
using ScottPlot;

namespace MqttCheck.Plots;

/// <summary>
/// The colours, symbols and fonts of pictures: those of the report's page in its light scheme. A test compares them.
/// </summary>
internal static class Palette
{
    /// <summary>The light colours by the names that the page's style sheet gives them.</summary>
    public static IReadOnlyDictionary<string, string> Colours { get; } =
        new Dictionary<string, string>
        {
            ["surface"] = "#ffffff",
            ["line"] = "#dfe3e8",
            ["ink"] = "#1b1f24",
            ["soft"] = "#545d68",
            ["good"] = "#00704f",
            ["bad"] = "#b3400a",
            ["warn"] = "#855b00",
            ["accent"] = "#6f38a0",
            ["s1"] = "#0068a6",
            ["s2"] = "#b3400a",
            ["s3"] = "#00704f",
            ["s4"] = "#a23a78",
            ["s5"] = "#7a5a00",
            ["negative"] = "#f0a04b",
            ["positive"] = "#a483dc",
        };

    /// <summary>The fonts of the page's charts, for pictures whose text the viewer draws.</summary>
    public const string FontFamily = "system-ui, \"Segoe UI\", Roboto, Arial, sans-serif";

    private static readonly Dictionary<Symbol, MarkerShape> s_markers = new()
    {
        [Symbol.Circle] = MarkerShape.FilledCircle,
        [Symbol.Square] = MarkerShape.FilledSquare,
        [Symbol.Triangle] = MarkerShape.FilledTriangleUp,
        [Symbol.Diamond] = MarkerShape.FilledDiamond,
        [Symbol.Wye] = MarkerShape.TriUp,
        [Symbol.Times] = MarkerShape.Eks,
    };

    /// <summary>The colour of a role.</summary>
    public static Color Of(Role role) => Color.FromHex(Colours[role.ToString().ToLowerInvariant()]);

    /// <summary>ScottPlot's form of a symbol.</summary>
    public static MarkerShape Marker(Symbol symbol) => s_markers[symbol];

    /// <summary>A symbol: full, or with an empty inside.</summary>
    public static MarkerStyle Style(Symbol symbol, Color colour, float size, bool isHollow) =>
        symbol is Symbol.Wye or Symbol.Times
            ? new(Marker(symbol), size, colour)
            : new(Marker(symbol), size, isHollow ? Of(Role.Surface) : colour)
            {
                OutlineColor = isHollow ? colour : Of(Role.Surface),
                OutlineWidth = isHollow ? 2 : 1,
            };
}
