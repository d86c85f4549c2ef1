using System.Globalization;
using MqttCheck.Reports.Formats;

namespace MqttCheck.Reports.Marks;

/// <summary>An axis of a chart.</summary>
/// <param name="Scale">Its range.</param>
/// <param name="Label">The quantity, with its unit.</param>
internal sealed record Axis(Scale Scale, string Label = "")
{
    // A name of a tick takes so much height, with the room around it.
    private const double TickHeight = 22;

    /// <summary>
    /// The ticks, most first; a drawer takes the first of these lists that has room. Empty for an axis without ticks.
    /// </summary>
    public IReadOnlyList<IReadOnlyList<AxisTick>> Ticks { get; init; } = [];

    /// <summary>The names of rows or columns: the first row is centred at 0, the next at -1; columns at 0, 1.</summary>
    public IReadOnlyList<string>? Names { get; init; }

    /// <summary>A second line below the name of each row.</summary>
    public IReadOnlyList<string>? Details { get; init; }

    /// <summary>Whether lines cross the chart at the ticks.</summary>
    public bool HasGrid { get; init; }

    /// <summary>The choices under which the chart has this axis; null under all.</summary>
    public IReadOnlyDictionary<string, string>? When { get; init; }

    /// <summary>A horizontal axis with ticks that are chosen for any width.</summary>
    public static Axis Across(Scale scale, string label, Func<double, string>? format = null) =>
        new(scale, label) { Ticks = Marks.Ticks.Candidates(scale, format ?? Words.Number) };

    /// <summary>An axis with given ticks.</summary>
    public static Axis With(
        Scale scale,
        string label,
        IEnumerable<double> ticks,
        Func<double, string>? format = null
    ) => new(scale, label) { Ticks = [Named(ticks, format ?? Words.Number)] };

    /// <summary>A vertical axis with a grid, and ticks that are chosen for a height in points.</summary>
    public static Axis Up(Scale scale, string label, double height)
    {
        var candidates = Marks.Ticks.Candidates(scale, Words.Number);
        return new(scale, label)
        {
            Ticks = [Marks.Ticks.Choose(candidates, scale, height, _ => TickHeight)],
            HasGrid = true,
        };
    }

    /// <summary>Shares from 0 to 1, with a grid.</summary>
    public static Axis Shares(string label, double high = 1) =>
        With(
            new(0, high),
            label,
            [0, .2, .4, .6, .8, 1],
            share => share.ToString("0.0", CultureInfo.InvariantCulture)
        ) with
        {
            HasGrid = true,
        };

    /// <summary>Rows with names, the first on top.</summary>
    public static Axis Rows(IReadOnlyList<string> names) => new(new Scale(-names.Count + .5, .5)) { Names = names };

    /// <summary>Columns with names, the first on the left.</summary>
    public static Axis Columns(IReadOnlyList<string> names) => new(new Scale(-.5, names.Count - .5)) { Names = names };

    /// <summary>Ticks with their names; those without one are left out.</summary>
    public static IReadOnlyList<AxisTick> Named(IEnumerable<double> ticks, Func<double, string> format) =>
        [.. ticks.Select(tick => new AxisTick(tick, format(tick))).Where(tick => tick.Text.Length > 0)];
}
