namespace MqttCheck.Sequential.Runs;

/// <summary>
/// After how many runs one looks at a test, and which share of its error each look may spend. Looks come after the
/// first number of runs, then each time half as many more, up to the number that the budget was planned for. The shares
/// sum to 1, so the error holds for all looks together.
/// </summary>
/// <remarks>
/// The looks up to the planned number share <see cref="PlannedShare"/> in proportion to the square root of their runs:
/// a later look costs more time, so it must decide more. Runs beyond the plan are looked at too, each time with half of
/// what is left. A look after every run would spend most of the error on looks at nearly the same runs.
/// </remarks>
public sealed class RunLooks
{
    /// <summary>The share of the error that the planned looks have together.</summary>
    public const double PlannedShare = .97;

    /// <summary>The number of looks if no number of runs is planned: after 8, 12, 18, 27 and 40 runs.</summary>
    public const int UnplannedLooks = 5;

    /// <summary>The number of runs at a look is about so many times that of the look before.</summary>
    public const double Growth = 1.5;

    // The planned number of runs replaces a look that it exceeds by less.
    private const double LeastGrowth = 1.2;

    private readonly List<int> _planned = [];
    private readonly double[] _shares;

    /// <summary>Looks.</summary>
    /// <param name="first">The number of runs before the first look, at least 2.</param>
    /// <param name="planned">
    /// The number of runs that the budget holds, known before the first run; at least as many. Null where it is not
    /// known.
    /// </param>
    public RunLooks(int first, int? planned = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(first, 2);
        if (planned is { } last)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(last, first);
            for (var look = first; last >= LeastGrowth * look; look = Next(look))
                _planned.Add(look);
            _planned.Add(last);
        }
        else
            for (var look = first; _planned.Count < UnplannedLooks; look = Next(look))
                _planned.Add(look);
        var weights = _planned.Sum(look => Math.Sqrt(look));
        _shares = [.. _planned.Select(look => PlannedShare * Math.Sqrt(look) / weights)];
    }

    /// <summary>The share of the error that the look after a number of runs spends; 0 where there is no look.</summary>
    /// <param name="runs">The number of runs.</param>
    public double ErrorShare(int runs) =>
        _planned.IndexOf(runs) is >= 0 and var place
            ? _shares[place]
            : LaterShare(runs, _planned[^1], 1 - PlannedShare);

    /// <summary>The number of runs at a look: this one, or the next where there is none after so many.</summary>
    /// <param name="runs">The number of runs.</param>
    public int NextLook(int runs)
    {
        foreach (var look in _planned)
            if (look >= runs)
                return look;
        return LaterLook(runs, _planned[^1]);
    }

    /// <summary>
    /// The share of the error that a look beyond the planned ones spends: half of the rest each time.
    /// </summary>
    /// <param name="runs">The number of runs.</param>
    /// <param name="last">The number of runs at the last planned look.</param>
    /// <param name="left">The share of the error that the planned looks leave.</param>
    /// <returns>0 where there is no look.</returns>
    internal static double LaterShare(int runs, int last, double left)
    {
        var look = last;
        while (look < runs)
            (look, left) = (Next(look), left / 2);
        return look == runs && look > last ? left : 0;
    }

    /// <summary>The number of runs at a look beyond the planned ones: this one or the next.</summary>
    /// <param name="runs">The number of runs.</param>
    /// <param name="last">The number of runs at the last planned look.</param>
    internal static int LaterLook(int runs, int last)
    {
        while (last < runs)
            last = Next(last);
        return last;
    }

    private static int Next(int look) => (int)(Growth * look);
}
