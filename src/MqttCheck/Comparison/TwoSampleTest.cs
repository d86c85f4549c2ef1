using System.Runtime.InteropServices;
using MathNet.Numerics.Distributions;
using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Comparison;

/// <summary>
/// Which of two brokers is in time more often, with the run as the sampling unit: each run counts as one observation,
/// its share of sequences in time. Runs of the two made in turns (A B A B) are compared pair by pair, so that a state
/// of the machine that lasts longer than a pair falls out of the difference; runs of a stored sample are compared with
/// later ones as independent samples. <see cref="TwoSampleOptions.Guarantee"/> says under which assumption the error
/// holds.
/// </summary>
/// <remarks>
/// Three hypotheses: no difference, the first faster by the indifference d, the second faster by d. The probability of
/// finding a difference where there is none, of finding none where it is d or more, and of finding the wrong sign is at
/// most the stated error each.
/// <para>
/// <see cref="Guarantee.Model"/>: of the two hypotheses that are nearest to the observed difference the farther one is
/// rejected when three tests reject it. First, Student's t of the paired differences (Welch's t with the degrees of
/// freedom of the smaller sample for a stored one), with a standard error never below that of independent sequences.
/// Second, the likelihood of correlated runs (<see cref="RunLikelihood"/>), because a broker that fails rarely, but
/// then for a whole run, looks better than it is until that run comes. The likelihood takes the two as independent;
/// where their runs go up and down together it says nothing of a difference and is left out. Third, runs that stand
/// apart must be too few to put the difference on the hypothesis's other side (<see cref="RareStateTest"/>). The
/// first look comes after <see cref="TwoSampleOptions.MinimumRuns"/> runs; the looks share the error
/// (<see cref="RunLooks"/>).
/// </para>
/// <para>
/// <see cref="Guarantee.Any"/>: bets (<see cref="TwoSampleBets"/>); the error holds for independent runs of any law, at
/// every look.
/// </para>
/// </remarks>
internal sealed class TwoSampleTest
{
    private readonly TwoSampleOptions _options;
    private readonly List<RunCount> _first = [];
    private readonly List<RunCount> _second = [];
    private readonly bool _isPaired;
    private readonly TwoSampleBets? _bets;
    private readonly RunLooks _looks;

    // These are all pairs with their outcomes, also those that do not count. It is null while every pair counts, and
    // where bets decide.
    private TwoSampleTest? _all;
    private bool _isAllKnown = true;
    private double? _errorOfOthers;
    private int _invalid;
    private RunBelowWorst? _belowWorst;
    private TwoSampleVerdict? _decision;
    private int? _decidedAfterRuns;

    /// <summary>A test of two brokers that take turns.</summary>
    /// <param name="options">The error, the indifference and the number of runs.</param>
    /// <exception cref="InputException">An option is out of range.</exception>
    public TwoSampleTest(TwoSampleOptions options)
    {
        InputException.ThrowIfAny(options.Validate("comparison"));
        (_options, _isPaired, _looks) = (options, true, options.Looks);
        if (options.Guarantee == Guarantee.Any)
            _bets = TwoSampleBets.OfPairs(options);
    }

    /// <summary>A test of a broker against stored runs.</summary>
    /// <param name="options">The error, the indifference and the number of runs.</param>
    /// <param name="stored">The stored runs, the first sample: at least 3.</param>
    /// <exception cref="InputException">An option is out of range, or there are too few stored runs.</exception>
    public TwoSampleTest(TwoSampleOptions options, IReadOnlyList<RunCount> stored)
        : this(options)
    {
        if (stored.Count < 3)
            throw new InputException(
                FormattableString.Invariant($"comparison: {stored.Count} stored runs given; allowed: at least 3.")
            );
        _isPaired = false;
        for (var run = 0; run < stored.Count; run++)
        {
            CompareWithWorst(stored[run], options.Names.First, run + 1);
            _first.Add(stored[run]);
        }
        if (options.Guarantee == Guarantee.Any)
            _bets = TwoSampleBets.AgainstStored(options, stored);
    }

    /// <summary>
    /// Counts one run of each, made one after the other. A verdict once given stays; later runs are counted and
    /// reported all the same.
    /// </summary>
    /// <param name="first">The run of the first, with at least one sequence.</param>
    /// <param name="second">The run of the second.</param>
    /// <exception cref="InvalidOperationException">The first sample is a stored one.</exception>
    public TwoSampleResult AddPair(RunCount first, RunCount second)
    {
        if (!_isPaired)
            throw new InvalidOperationException("The first sample is a stored one; only runs of the second are added.");
        Decide(first, second);
        return Describe(_decision ?? TwoSampleVerdict.Withheld);
    }

    /// <summary>Counts one run of the second, where the first sample is a stored one.</summary>
    /// <param name="second">The run, with at least one sequence.</param>
    /// <exception cref="InvalidOperationException">There is no stored sample.</exception>
    public TwoSampleResult AddRun(RunCount second)
    {
        if (_isPaired)
            throw new InvalidOperationException("Runs are added in pairs: there is no stored sample.");
        Decide(null, second);
        return Describe(_decision ?? TwoSampleVerdict.Withheld);
    }

    /// <summary>
    /// Takes a pair into account of which a run does not count, because the generator was late or overloaded: left out,
    /// the choice of runs might decide. With <see cref="Guarantee.Any"/> bets take it at its worst for them. Otherwise
    /// a verdict needs the same answer from the pairs that count and from all of them.
    /// </summary>
    /// <param name="first">The outcome of the run of the first; null where the first sample is a stored one.</param>
    /// <param name="second">The outcome of the run of the second; with no sequence, the verdict of all pairs is
    /// unknown.</param>
    public TwoSampleResult AddInvalid(RunCount? first, RunCount second)
    {
        DecideInvalid(first, second);
        return Describe(_decision ?? TwoSampleVerdict.Withheld);
    }

    /// <summary>The result at the end of the budget.</summary>
    /// <param name="interrupted">Whether the user ended the comparison before its time.</param>
    /// <param name="budget">
    /// The time that allowed no more runs, for the reason of a missing verdict; null where nothing limited it.
    /// </param>
    public TwoSampleResult Conclude(bool interrupted = false, TimeSpan? budget = null)
    {
        var result = Describe(_decision ?? (interrupted ? TwoSampleVerdict.Partial : TwoSampleVerdict.Withheld));
        return budget is { } time && result.Verdict == TwoSampleVerdict.Withheld
            ? result with
            {
                Reason = result.Reason + Invariant($" The budget of {time.TotalSeconds:0.###} s holds no more runs."),
            }
            : result;
    }

    /// <summary>
    /// Counts a pair as <see cref="AddPair"/> does, or a run beside a stored sample, without describing the result,
    /// which takes longer than the test: for simulations.
    /// </summary>
    internal TwoSampleVerdict Decide(RunCount? first, RunCount second)
    {
        CompareWithWorst(first, second);
        AddCounts(first, second);
        _all?.AddCounts(first, second);
        if (_belowWorst is null)
            _bets?.Add(first, second);
        return Decide();
    }

    /// <summary>
    /// Takes a pair that does not count into account as <see cref="AddInvalid"/> does, without describing the result.
    /// </summary>
    internal TwoSampleVerdict DecideInvalid(RunCount? first, RunCount second)
    {
        CompareWithWorst(first, second);
        _invalid++;
        if (_bets is not null)
            _bets.AddUnknown();
        else if (first is { Samples: 0 } || second.Samples == 0)
            (_all, _isAllKnown) = (_all ?? Copy(), false);
        else
            (_all ??= Copy()).AddCounts(first, second);
        return Decide();
    }

    private void AddCounts(RunCount? first, RunCount second)
    {
        if (first is { } run)
            _first.Add(run);
        _second.Add(second);
    }

    private TwoSampleTest Copy()
    {
        var copy = _isPaired ? new TwoSampleTest(_options) : new(_options, _first);
        if (_isPaired)
            copy._first.AddRange(_first);
        copy._second.AddRange(_second);
        return copy;
    }

    private TwoSampleVerdict Decide()
    {
        if (_belowWorst is not null)
            return TwoSampleVerdict.Withheld;
        if (
            _decision is null
            && (_bets is not null || _looks.ErrorShare(_second.Count) > 0)
            && Judge() is { } verdict
            && (_all is null || JudgeAll() == verdict)
        )
            (_decision, _decidedAfterRuns) = (verdict, _second.Count);
        return _decision ?? TwoSampleVerdict.Withheld;
    }

    private TwoSampleVerdict? Judge() => _second.Count >= _options.MinimumRuns ? ByEvidence() : null;

    // All pairs are looked at when those that count are, with the same error.
    private TwoSampleVerdict? JudgeAll()
    {
        if (!_isAllKnown || _all is null)
            return null;
        _all._errorOfOthers = SideError;
        return _all.Judge();
    }

    private TwoAnswers<TwoSampleVerdict>? Differing()
    {
        if (_decision is not null || _all is null)
            return null;
        var (counted, all) = (Judge(), JudgeAll());
        return counted == all ? null : new(counted ?? TwoSampleVerdict.Withheld, all ?? TwoSampleVerdict.Withheld);
    }

    private void CompareWithWorst(RunCount? first, RunCount second)
    {
        var number = _second.Count + _invalid + 1;
        if (first is { } run)
            CompareWithWorst(run, _options.Names.First, number);
        CompareWithWorst(second, _options.Names.Second, number);
    }

    private void CompareWithWorst(RunCount run, string name, int number)
    {
        if (run.Share < _options.WorstRun)
            _belowWorst ??= new(number, run.Share, name);
    }

    private TwoSampleVerdict? ByEvidence()
    {
        var (difference, standardError) = Estimate();
        var reach = Quantile() * standardError;
        var d = _options.Indifference;
        if (Math.Abs(difference) <= d / 2)
            return Rejects(d) && Rejects(-d) ? TwoSampleVerdict.NoDifference : null;
        return !Rejects(0) ? null
            : difference > 0 ? TwoSampleVerdict.FirstFaster
            : TwoSampleVerdict.SecondFaster;

        bool Rejects(double hypothesis) =>
            _bets is { } bets
                ? bets.Rejects(hypothesis, isBelow: difference < hypothesis)
                : Math.Abs(difference - hypothesis) >= reach
                    && (
                        (hypothesis == 0 && _isPaired && RunShares.MoveTogether(_first, _second))
                        || IsUnlikely(hypothesis)
                    )
                    && ExcludesRareState(hypothesis);
    }

    // Whether the outlying runs are too few to put the difference on the other side of a hypothesis. Pairs enter by
    // their differences, so that common effects cancel. Beside a stored sample, each run enters by itself against the
    // mean of the other sample.
    private bool ExcludesRareState(double hypothesis)
    {
        if (!_isPaired)
            return RareStateTest.Excludes(
                    CollectionsMarshal.AsSpan(_first),
                    TwoSampleResult.Mean(_second) + hypothesis,
                    SideError
                )
                && RareStateTest.Excludes(
                    CollectionsMarshal.AsSpan(_second),
                    TwoSampleResult.Mean(_first) - hypothesis,
                    SideError
                );
        double[] differences = [.. _first.Zip(_second, (first, second) => first.Share - second.Share)];
        return RareStateTest.Excludes(differences, hypothesis, SideError);
    }

    // The error that a side may spend at this look, or at the next one.
    private double SideError =>
        _errorOfOthers ?? _options.ComparisonError / 2 * _looks.ErrorShare(_looks.NextLook(_second.Count));

    // Whether no two probabilities with this difference explain the runs nearly as well as the observed shares do.
    private bool IsUnlikely(double difference)
    {
        const double Ratio = 0.6180339887498949,
            Margin = .02;
        var runs = Math.Min(_first.Count, _second.Count);
        double first = RunLikelihood.Estimate(CollectionsMarshal.AsSpan(_first)),
            second = RunLikelihood.Estimate(CollectionsMarshal.AsSpan(_second));
        // Both shares bear on the skewness: the first lies above its hypothesis where the second lies below its own.
        var extreme = Math.Max(Math.Max(first, 1 - first), Math.Max(second, 1 - second));
        var bound = RunLikelihood.DevianceBound(runs, SideError, extreme, areAbove: true);
        var largest = LogLikelihood(_first, first) + LogLikelihood(_second, second);
        // The likelihood of one sample has one peak, about at its share. So the likelihood of both peaks between the
        // two. Golden section finds it over the probability of the second.
        double smallest = Math.Max(1e-6, 1e-6 - difference),
            greatest = Math.Min(1 - 1e-6, 1 - 1e-6 - difference);
        double low = Math.Clamp(Math.Min(second, first - difference) - Margin, smallest, greatest),
            high = Math.Clamp(Math.Max(second, first - difference) + Margin, smallest, greatest);
        double left = high - Ratio * (high - low),
            right = low + Ratio * (high - low);
        double atLeft = At(left),
            atRight = At(right);
        while (high - low > .002)
        {
            if (Math.Min(atLeft, atRight) < bound)
                return false;
            if (atLeft < atRight)
            {
                (high, right, atRight) = (right, left, atLeft);
                left = high - Ratio * (high - low);
                atLeft = At(left);
            }
            else
            {
                (low, left, atLeft) = (left, right, atRight);
                right = low + Ratio * (high - low);
                atRight = At(right);
            }
        }
        return Math.Min(atLeft, atRight) >= bound;

        double At(double probability) =>
            largest - LogLikelihood(_first, probability + difference) - LogLikelihood(_second, probability);
    }

    private static double LogLikelihood(List<RunCount> runs, double probability) =>
        RunLikelihood.LogLikelihood(CollectionsMarshal.AsSpan(runs), probability);

    private double Quantile() =>
        TwoSamplePlan.Quantile(_isPaired ? _second.Count : Math.Min(_first.Count, _second.Count), SideError);

    private (double Difference, double StandardError) Estimate()
    {
        var difference = TwoSampleResult.Mean(_first) - TwoSampleResult.Mean(_second);
        if (_first.Count < 2 || _second.Count < 2)
            return (difference, double.NaN);
        if (!_isPaired)
            return (difference, Math.Sqrt(RunShares.VarianceOfMean(_first) + RunShares.VarianceOfMean(_second)));
        var squares = _first
            .Zip(_second, (first, second) => first.Share - second.Share - difference)
            .Sum(deviation => deviation * deviation);
        var observed = squares / (_second.Count - 1);
        return (
            difference,
            Math.Sqrt(
                Math.Max(observed, RunShares.BinomialVariance(_first) + RunShares.BinomialVariance(_second))
                    / _second.Count
            )
        );
    }

    private TwoSampleResult Describe(TwoSampleVerdict verdict)
    {
        if (_belowWorst is not null)
            verdict = TwoSampleVerdict.Withheld;
        var (difference, standardError) = Estimate();
        var smaller = Math.Min(_first.Count, _second.Count);
        var all = new Interval(-1, 1);
        var result = new TwoSampleResult
        {
            Verdict = verdict,
            Options = _options,
            BelowWorst = _belowWorst,
            Differing = Differing(),
            First = [.. _first],
            Second = [.. _second],
            IsPaired = _isPaired,
            Difference = difference,
            StandardError = standardError,
            Interval = smaller < 2 ? all : Around(difference, StudentT.InvCDF(0, 1, smaller - 1, .975) * standardError),
            VerdictInterval =
                _second.Count < _options.MinimumRuns || smaller < 2
                    ? all
                    : _bets?.Interval() ?? Around(difference, Quantile() * standardError),
            DecidedAfterRuns = _decidedAfterRuns,
            Reason = "",
        };
        return result with { Reason = TwoSampleReason.Of(result) };
    }

    private static Interval Around(double centre, double reach) =>
        new(Math.Max(-1, centre - reach), Math.Min(1, centre + reach));
}
