using System.Diagnostics;
using MqttCheck.Clients;
using MqttCheck.Reports.Documents;
using MqttCheck.Verification;
using ScottPlot;

namespace MqttCheck.Plots;

/// <summary>
/// The colours, symbols and fonts of pictures: those of the report's page in its light scheme. A test compares both.
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

    /// <summary>The page's own symbols of series, by the names that the viewer gives them.</summary>
    public static IReadOnlyList<string> Symbols { get; } = ["circle", "square", "triangle", "diamond", "wye"];

    /// <summary>The series that each kind of message has the colour of, counted from 0.</summary>
    public static IReadOnlyDictionary<MessageKind, int> Kinds { get; } =
        new Dictionary<MessageKind, int>
        {
            [MessageKind.Connect] = 1,
            [MessageKind.Disconnect] = 4,
            [MessageKind.Publish] = 0,
            [MessageKind.Subscribe] = 2,
            [MessageKind.Unsubscribe] = 3,
        };

    public static Color Surface { get; } = Named("surface");

    public static Color Line { get; } = Named("line");

    public static Color Ink { get; } = Named("ink");

    public static Color Soft { get; } = Named("soft");

    public static Color Good { get; } = Named("good");

    public static Color Bad { get; } = Named("bad");

    public static Color Warning { get; } = Named("warn");

    public static Color Accent { get; } = Named("accent");

    /// <summary>The colour of a series.</summary>
    public static Color Series(int index) => Named($"s{index % 5 + 1}");

    /// <summary>The marker of a series, which says the same without colour.</summary>
    public static MarkerShape Symbol(int index) => s_symbols[index % s_symbols.Length];

    /// <summary>The colour of a kind of message.</summary>
    public static Color Kind(MessageKind kind) => Series(Kinds[kind]);

    /// <summary>The marker of a kind of message.</summary>
    public static MarkerShape KindSymbol(MessageKind kind) => Symbol(Kinds[kind]);

    /// <summary>The colour of a verdict.</summary>
    public static Color Verdict(VerdictKind kind) => s_verdicts[kind];

    /// <summary>The colour of a tone.</summary>
    public static Color Tone(DocumentTone tone) => s_tones[tone];

    /// <summary>A correlation as the colour of its cell: the stronger, the farther from the surface.</summary>
    public static Color Correlation(double r) =>
        double.IsFinite(r)
            ? Color.InterpolateRgb(Surface, Named(r < 0 ? "negative" : "positive"), Math.Min(1, Math.Abs(r)))
            : Line;

    private static readonly MarkerShape[] s_symbols =
    [
        MarkerShape.FilledCircle,
        MarkerShape.FilledSquare,
        MarkerShape.FilledTriangleUp,
        MarkerShape.FilledDiamond,
        MarkerShape.TriUp,
    ];

    private static readonly Dictionary<VerdictKind, Color> s_verdicts = new()
    {
        [VerdictKind.Confirmed] = Good,
        [VerdictKind.NotWorse] = Good,
        [VerdictKind.Worse] = Bad,
        [VerdictKind.Better] = Warning,
        [VerdictKind.Withheld] = Warning,
        [VerdictKind.Partial] = Warning,
    };

    private static readonly Dictionary<DocumentTone, Color> s_tones = new()
    {
        [DocumentTone.Good] = Good,
        [DocumentTone.Bad] = Bad,
        [DocumentTone.Warning] = Warning,
        [DocumentTone.Plain] = Series(0),
    };

    private static Color Named(string name) => Color.FromHex(Colours[name]);
}
