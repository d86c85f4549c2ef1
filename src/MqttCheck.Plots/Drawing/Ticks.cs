using System.Globalization;
using static System.FormattableString;

namespace MqttCheck.Plots.Drawing;

/// <summary>Which values an axis names. The rules are those of the page's charts.</summary>
internal static class Ticks
{
    private static readonly (double[] Steps, int Every)[] s_logarithmic =
    [
        ([1, 2, 5], 1),
        ([1, 3], 1),
        ([1], 1),
        ([1], 2),
        ([1], 3),
    ];

    /// <summary>1, 2, 5 times powers of ten, or powers of ten alone, as many as there is room for.</summary>
    public static double[] Logarithmic(Scale scale, double pixels)
    {
        var room = Math.Max(2, Math.Floor(pixels / 46));
        foreach (var (steps, every) in s_logarithmic)
        {
            var ticks = Powers(scale, steps, every);
            if (ticks.Length > room)
                continue;
            // A narrow range holds few of these, and four show that an axis is logarithmic.
            return ticks.Length >= 4 ? ticks : [.. Linear(scale.Low, scale.High, 6).Where(tick => tick > 0)];
        }
        return Powers(scale, [1], 4);
    }

    /// <summary>Round values in equal steps, about as many as wanted.</summary>
    public static double[] Linear(double low, double high, int count)
    {
        if (!(high > low))
            return [low];
        var rough = (high - low) / Math.Max(1, count);
        var power = Math.Pow(10, Math.Floor(Math.Log10(rough)));
        var step =
            power
            * (rough / power) switch
            {
                < 1.5 => 1,
                < 3.5 => 2,
                < 7.5 => 5,
                _ => 10,
            };
        var first = (long)Math.Ceiling(low / step - 1e-9);
        var last = (long)Math.Floor(high / step + 1e-9);
        return
        [
            .. Enumerable.Range(0, (int)(last - first + 1)).Select(index => Math.Round((first + index) * step, 10)),
        ];
    }

    /// <summary>
    /// Chooses ticks among the used values, from the largest down, so that their names have room beside each other.
    /// </summary>
    public static double[] Thinned(IEnumerable<double> values, Func<double, double> position, double gap = 34)
    {
        var ticks = new List<double>();
        foreach (
            var value in values
                .Distinct()
                .OrderDescending()
                .Where(value => ticks.Count == 0 || position(ticks[^1]) - position(value) >= gap)
        )
            ticks.Add(value);
        ticks.Reverse();
        return [.. ticks];
    }

    /// <summary>
    /// Moves labels apart: positions, at least <paramref name="gap"/> between neighbours, inside 0 ..
    /// <paramref name="height"/>; of equal ones the last goes on top.
    /// </summary>
    public static double[] Spread(IReadOnlyList<double> positions, double gap, double height)
    {
        var order = Enumerable
            .Range(0, positions.Count)
            .OrderBy(index => positions[index])
            .ThenByDescending(index => index)
            .ToArray();
        double[] placed = [.. positions];
        var floor = double.NegativeInfinity;
        foreach (var index in order)
            floor = (placed[index] = Math.Max(placed[index], floor)) + gap;
        var ceiling = height;
        foreach (var index in order.Reverse())
            ceiling = (placed[index] = Math.Min(placed[index], ceiling)) - gap;
        return placed;
    }

    private static double[] Powers(Scale scale, double[] steps, int every)
    {
        var ticks = new List<double>();
        for (var power = (int)Math.Floor(Math.Log10(scale.Low)); power <= Math.Ceiling(Math.Log10(scale.High)); power++)
        {
            if (power % every != 0)
                continue;
            // A power of ten is exact if it is read from text.
            ticks.AddRange(
                steps.Select(step => double.Parse(Invariant($"{step}e{power}"), CultureInfo.InvariantCulture))
            );
        }
        return [.. ticks.Where(tick => tick >= scale.Low * .999 && tick <= scale.High * 1.001)];
    }
}
