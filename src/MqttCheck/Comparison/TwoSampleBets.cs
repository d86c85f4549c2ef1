using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;

namespace MqttCheck.Comparison;

/// <summary>
/// Evidence on the difference of two probabilities that holds for independent runs of any law: bets
/// (<see cref="RunMeanBets"/>) on the differences of pairs, or, where the first sample is a stored one, on the second
/// sample against bounds of the first.
/// </summary>
/// <remarks>
/// Each side has half of the comparison's error. Beside a stored sample half of that goes to the bound of the stored
/// mean, which is fixed before the first run, and half to the bets. So few stored runs say little: their bounds are
/// wide.
/// </remarks>
internal sealed class TwoSampleBets
{
    private readonly double _indifference,
        _bound,
        _least,
        _most;
    private readonly Interval? _stored;
    private readonly List<double> _means = [];

    // For each of the hypotheses -d, 0 and d there are bets that the difference is above it, and bets that it is below.
    private readonly RunMeanBets?[] _above,
        _below;

    private TwoSampleBets(TwoSampleOptions options, Interval? stored)
    {
        (_indifference, _stored) = (options.Indifference, stored);
        (_least, _most) = stored is null ? RangeOfPairs(options) : (options.WorstRun ?? 0, 1);
        _bound = -Math.Log(options.ComparisonError / (stored is null ? 2 : 4));
        double[] hypotheses = [-_indifference, 0, _indifference];
        _above = [.. hypotheses.Select(hypothesis => Bets(hypothesis, isBelow: false))];
        _below = [.. hypotheses.Select(hypothesis => Bets(hypothesis, isBelow: true))];
    }

    /// <summary>Bets on the differences of pairs.</summary>
    /// <param name="options">The error and the indifference.</param>
    public static TwoSampleBets OfPairs(TwoSampleOptions options) => new(options, null);

    /// <summary>Bets on a second sample beside a stored one.</summary>
    /// <param name="options">The error and the indifference.</param>
    /// <param name="stored">The stored runs.</param>
    public static TwoSampleBets AgainstStored(TwoSampleOptions options, IReadOnlyList<RunCount> stored) =>
        new(
            options,
            Bounds(
                [.. stored.Select(run => Math.Max(options.WorstRun ?? 0, run.Share))],
                -Math.Log(options.ComparisonError / 4),
                options.WorstRun ?? 0,
                1
            )
        );

    /// <summary>Counts a pair, or a run of the second beside a stored sample.</summary>
    /// <param name="first">The run of the first; null beside a stored sample.</param>
    /// <param name="second">The run of the second.</param>
    public void Add(RunCount? first, RunCount second)
    {
        var mean = first is { } run ? (1 + run.Share - second.Share) / 2 : second.Share;
        _means.Add(mean);
        foreach (var bets in _above.Concat(_below))
            bets?.Add(mean);
    }

    /// <summary>
    /// Counts a pair, or a run beside a stored sample, that does not count: at the mean that costs each bet most.
    /// </summary>
    public void AddUnknown()
    {
        _means.Add(double.NaN);
        foreach (var bets in _above.Concat(_below))
            bets?.AddUnknown();
    }

    /// <summary>
    /// The least and the largest scaled difference of a pair, (1 + difference) / 2, where no run is worse than vouched.
    /// </summary>
    /// <param name="options">The options.</param>
    internal static (double Least, double Most) RangeOfPairs(TwoSampleOptions options) =>
        ((options.WorstRun ?? 0) / 2, 1 - (options.WorstRun ?? 0) / 2);

    /// <summary>Whether a difference of this much is rejected.</summary>
    /// <param name="hypothesis">-d, 0 or d.</param>
    /// <param name="isBelow">
    /// Whether the difference is said to lie below it: then it, and all above, is rejected.
    /// </param>
    public bool Rejects(double hypothesis, bool isBelow)
    {
        var index =
            hypothesis < 0 ? 0
            : hypothesis > 0 ? 2
            : 1;
        return (isBelow ? _below : _above)[index] is { } bets
            ? bets.LogWealth >= _bound
            : IsImpossible(hypothesis, isBelow);
    }

    /// <summary>
    /// The differences that are not rejected: each end is missed with half of the comparison's error at most, at all
    /// looks together.
    /// </summary>
    public Interval Interval()
    {
        var means = Bounds(_means, _bound, _least, _most);
        return _stored is not { } stored
            ? new(2 * means.Lower - 1, 2 * means.Upper - 1)
            : new(Math.Max(-1, stored.Lower - means.Upper), Math.Min(1, stored.Upper - means.Lower));
    }

    // The mean's bounds: what bets on the observations, of which some are not known, do not reject.
    private static Interval Bounds(IReadOnlyList<double> means, double bound, double least, double most)
    {
        var scaled = BoundedMean.OfEvidence([.. means.Select(mean => (mean - least) / (most - least))], bound);
        return new(least + scaled.Lower * (most - least), least + scaled.Upper * (most - least));
    }

    private RunMeanBets? Bets(double hypothesis, bool isBelow) =>
        Threshold(hypothesis, isBelow) is var threshold && threshold > _least && threshold < _most
            ? new(threshold, IsOnHigh(isBelow), _least, _most)
            : null;

    // Pairs: the scaled difference. Stored: a difference above the hypothesis is a second sample below the first by
    // more, wherever in its bounds the mean of the first lies.
    private double Threshold(double hypothesis, bool isBelow) =>
        _stored is not { } stored ? (1 + hypothesis) / 2 : (isBelow ? stored.Upper : stored.Lower) - hypothesis;

    private bool IsOnHigh(bool isBelow) => _stored is null ? !isBelow : isBelow;

    // No second sample differs from the first by so much: its mean would have to lie outside of what means can be.
    private bool IsImpossible(double hypothesis, bool isBelow) =>
        hypothesis != 0
        && (isBelow ? Threshold(hypothesis, isBelow) <= _least : Threshold(hypothesis, isBelow) >= _most);
}
