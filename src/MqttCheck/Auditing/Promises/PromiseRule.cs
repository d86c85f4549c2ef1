using MqttCheck.Statistics;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// Decides by simulation whether promises are kept. A promise is kept if the upper bound of the error is below 1.2
/// times the stated error. It is kept with the exception if this holds only for the stated error plus the exception. It
/// is broken if the lower bound is above that sum. An undecided cell is simulated further, up to
/// <see cref="MostTrials"/>. The bounds are those of Clopper and Pearson, and 99 % for all cells and all looks
/// together.
/// </summary>
internal sealed class PromiseRule
{
    /// <summary>
    /// An error may exceed its promise by this factor before it counts: no number of simulations shows that it does not
    /// exceed it at all.
    /// </summary>
    public const double Tolerance = 1.2;

    /// <summary>The number of simulations after which an undecided cell stays undecided.</summary>
    public const long MostTrials = 100_000;

    /// <summary>The smallest number of simulations of a cell.</summary>
    public const long FewestTrials = 5000;

    private const double BoundsError = .01;

    private readonly double _alpha;

    /// <summary>The rule for a table.</summary>
    /// <param name="cells">How many promises are judged together, at least 1.</param>
    /// <param name="fewestTrials">
    /// After how many simulations a cell is looked at first; 1 .. <see cref="MostTrials"/>.
    /// </param>
    public PromiseRule(int cells, long fewestTrials = FewestTrials)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(cells, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(fewestTrials, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(fewestTrials, MostTrials);
        Looks = [.. new[] { fewestTrials, Math.Min(MostTrials, 4 * fewestTrials), MostTrials }.Distinct()];
        _alpha = BoundsError / cells / Looks.Count / 2;
    }

    /// <summary>After how many simulations a cell is looked at.</summary>
    public IReadOnlyList<long> Looks { get; }

    /// <summary>The bounds of the error.</summary>
    /// <param name="count">The simulations counted so far, at least one.</param>
    public Interval Bounds(PromiseCount count) =>
        new(
            BinomialIntervals.LowerBound(count.Wrong, count.Trials, _alpha),
            BinomialIntervals.UpperBound(count.Wrong, count.Trials, _alpha)
        );

    /// <summary>Says whether the simulations show that the promise is kept.</summary>
    /// <param name="count">The simulations counted so far, at least one.</param>
    /// <param name="stated">The stated error; null where nothing is promised.</param>
    /// <param name="exception">The error that the printed exception allows on top of the stated one; 0 without an
    /// exception.</param>
    public PromiseStatus Judge(PromiseCount count, double? stated, double exception = 0)
    {
        if (stated is not { } error)
            return PromiseStatus.NotPromised;
        var bounds = Bounds(count);
        var allowed = error + exception;
        return IsBelow(error) ? PromiseStatus.Kept
            : IsBelow(allowed) ? PromiseStatus.KeptWithException
            : bounds.Lower > allowed ? PromiseStatus.Broken
            : PromiseStatus.Undecided;

        bool IsBelow(double largest) => bounds.Upper < Tolerance * largest || largest >= 1;
    }

    /// <summary>Simulates until the promise is found kept or broken, or no more simulations are allowed.</summary>
    /// <param name="stated">The stated error; null where nothing is promised.</param>
    /// <param name="simulate">
    /// Simulates so many measurements more, beginning with the one of a number: each number has its own stream of
    /// randomness.
    /// </param>
    /// <param name="exception">The error that the printed exception allows on top of the stated one; 0 without an
    /// exception.</param>
    public (PromiseCount Count, PromiseStatus Status) Decide(
        double? stated,
        Func<long, long, PromiseCount> simulate,
        double exception = 0
    )
    {
        var (count, status) = (default(PromiseCount), PromiseStatus.Undecided);
        foreach (var look in Looks)
        {
            count += simulate(count.Trials, look - count.Trials);
            status = Judge(count, stated, exception);
            if (status != PromiseStatus.Undecided && !MayBeKeptWithout())
                break;
        }
        return (count, status);

        // The exception may turn out unnecessary, as long as the error is not surely above the stated one. So the
        // simulation goes on.
        bool MayBeKeptWithout() =>
            status == PromiseStatus.KeptWithException && Judge(count, stated) == PromiseStatus.Undecided;
    }
}
