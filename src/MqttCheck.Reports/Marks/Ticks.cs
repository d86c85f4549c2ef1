using System.Globalization;
using static System.FormattableString;

namespace MqttCheck.Reports.Marks;

/// <summary>Which values an axis names.</summary>
internal static class Ticks
{
    // Four ticks show that an axis is logarithmic; a drawer of any width has room for five or six.
    private const int Fewest = 4,
        Most = 16;

    private static readonly int[] s_counts = [10, 8, 6, 5, 4, 3];

    private static readonly (double[] Steps, int Every, int First)[] s_logarithmic =
    [
        ([1, 2, 5], 1, 0),
        ([1, 3], 1, 0),
        ([1], 1, 0),
        ([1], 2, 0),
        ([1], 2, 1),
        ([1], 3, 0),
        ([1], 4, 0),
        // A narrow range holds few of these, so it gets finer ones.
        ([1, 2, 3, 5, 7], 1, 0),
    ];

    /// <summary>Lists of ticks for axes of different length, in the order in which they are preferred.</summary>
    /// <param name="scale">The range.</param>
    /// <param name="format">Names a tick.</param>
    public static IReadOnlyList<IReadOnlyList<AxisTick>> Candidates(Scale scale, Func<double, string> format)
    {
        var even = s_counts.Select(count => Linear(scale.Low, scale.High, count));
        var all = scale.IsLogarithmic
            ? s_logarithmic.Select(powers => Powers(scale, powers)).Concat(even).Select(ticks => Positive(scale, ticks))
            : even;
        var kept = new List<IReadOnlyList<AxisTick>>();
        foreach (var ticks in all.Where(ticks => ticks.Length is > 1 and <= Most))
            if (kept.TrueForAll(other => other.Count != ticks.Length))
                kept.Add(Axis.Named(ticks, format));
        return kept;
    }

    /// <summary>Chooses the first list of four ticks or more that has room, else the longest with gaps.</summary>
    /// <param name="candidates">The lists.</param>
    /// <param name="scale">The range.</param>
    /// <param name="length">The length of the axis, in points.</param>
    /// <param name="room">The room that a name takes, in points.</param>
    public static IReadOnlyList<AxisTick> Choose(
        IReadOnlyList<IReadOnlyList<AxisTick>> candidates,
        Scale scale,
        double length,
        Func<AxisTick, double> room
    )
    {
        bool Fit(AxisTick one, AxisTick other) =>
            (scale.Share(other.At) - scale.Share(one.At)) * length >= (room(one) + room(other)) / 2;
        var fitting = candidates.Where(ticks => ticks.Zip(ticks.Skip(1)).All(pair => Fit(pair.First, pair.Second)));
        return fitting.FirstOrDefault(ticks => ticks.Count >= Fewest)
            ?? candidates.Select(Thinned).MaxBy(ticks => ticks.Count)
            ?? [];

        IReadOnlyList<AxisTick> Thinned(IReadOnlyList<AxisTick> ticks)
        {
            var kept = new List<AxisTick>();
            foreach (var tick in ticks.Reverse().Where(tick => kept.Count == 0 || Fit(tick, kept[0])))
                kept.Insert(0, tick);
            return kept;
        }
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

    private static double[] Powers(Scale scale, (double[] Steps, int Every, int First) powers)
    {
        var ticks = new List<double>();
        for (var power = (int)Math.Floor(Math.Log10(scale.Low)); power <= Math.Ceiling(Math.Log10(scale.High)); power++)
        {
            if ((power - powers.First) % powers.Every != 0)
                continue;
            // A power of ten is exact if it is read from text.
            ticks.AddRange(
                powers.Steps.Select(step => double.Parse(Invariant($"{step}e{power}"), CultureInfo.InvariantCulture))
            );
        }
        return [.. ticks];
    }

    private static double[] Positive(Scale scale, double[] ticks) =>
        [.. ticks.Where(tick => tick > 0 && tick >= scale.Low * .999 && tick <= scale.High * 1.001)];
}
