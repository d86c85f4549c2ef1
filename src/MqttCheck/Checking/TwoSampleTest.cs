using System.Globalization;
using System.Runtime.InteropServices;
using MathNet.Numerics.Distributions;
using MqttCheck.Statistics;

namespace MqttCheck.Checking;

/// <summary>
/// Which of two brokers is in time more often, with the run as the sampling unit: each run counts as one observation, its share of sequences in time, whatever the dependence inside it. Runs of the
/// two made in turns (A B A B) are compared pair by pair, so that a mood of the machine that lasts longer than a pair falls out of the difference (Student's t of the paired differences); runs of a
/// stored sample are compared with later ones as independent samples (Welch's t with the degrees of freedom of the smaller sample).
/// </summary>
/// <remarks>
/// Three hypotheses: no difference, the first faster by the indifference d, the second faster by d. Of the two that are nearest to the observed difference the farther one is rejected when it lies t standard
/// errors away, where t spends three quarters of the error at the first look, after <see cref="TwoSampleOptions.MinimumRuns"/> runs, and a quarter of it times 1 / (j (j - 1)) at look j. So the probability of
/// finding a difference where there is none, of finding none where it is d or more, and of finding the wrong sign is at most the stated error each. A standard error smaller than that of independent sequences
/// is not credited: it is what few runs show by chance. That there is no difference must moreover be what the likelihood of correlated runs says (<see cref="RunLikelihood"/>): a broker that fails
/// rarely, but then for a whole run, looks equal to a better one until that run comes.
/// </remarks>
public sealed class TwoSampleTest
{
    private readonly TwoSampleOptions _options;
    private readonly List<RunCount> _first = [];
    private readonly List<RunCount> _second = [];
    private readonly bool _isPaired;
    private TwoSampleVerdict? _decision;
    private int? _decidedAfterRuns;

    /// <summary>A test of two brokers that take turns.</summary>
    /// <param name="options">The error, the indifference and the number of runs.</param>
    /// <exception cref="InputException">An option is out of range.</exception>
    public TwoSampleTest(TwoSampleOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var errors = options.Validate("comparison");
        if (errors.Count > 0) throw new InputException(string.Join('\n', errors));
        (_options, _isPaired) = (options, true);
    }

    /// <summary>A test of a broker against stored runs.</summary>
    /// <param name="options">The error, the indifference and the number of runs.</param>
    /// <param name="stored">The stored runs, the first sample: at least 3.</param>
    /// <exception cref="InputException">An option is out of range, or there are too few stored runs.</exception>
    public TwoSampleTest(TwoSampleOptions options, IReadOnlyList<RunCount> stored)
        : this(options)
    {
        ArgumentNullException.ThrowIfNull(stored);
        if (stored.Count < 3) throw new InputException(FormattableString.Invariant($"comparison: {stored.Count} stored runs given; allowed: at least 3."));
        _isPaired = false;
        _first.AddRange(stored);
    }

    /// <summary>Counts one run of each, made one after the other. A verdict once given stays; later runs are counted and reported all the same.</summary>
    /// <param name="first">The run of the first, with at least one sequence.</param>
    /// <param name="second">The run of the second.</param>
    /// <exception cref="InvalidOperationException">The first sample is a stored one.</exception>
    public TwoSampleResult AddPair(RunCount first, RunCount second)
    {
        if (!_isPaired) throw new InvalidOperationException("The first sample is a stored one; only runs of the second are added.");
        _first.Add(first);
        return Count(second);
    }

    /// <summary>Counts one run of the second, where the first sample is a stored one.</summary>
    /// <param name="second">The run, with at least one sequence.</param>
    /// <exception cref="InvalidOperationException">There is no stored sample.</exception>
    public TwoSampleResult AddRun(RunCount second)
    {
        if (_isPaired) throw new InvalidOperationException("Runs are added in pairs: there is no stored sample.");
        return Count(second);
    }

    /// <summary>The result at the end of the budget.</summary>
    /// <param name="interrupted">Whether the user ended the comparison before its time.</param>
    /// <param name="budget">The time that allowed no more runs, for the reason of a missing verdict; null where nothing limited it.</param>
    public TwoSampleResult Conclude(bool interrupted = false, TimeSpan? budget = null)
    {
        var result = Describe(_decision ?? (interrupted ? TwoSampleVerdict.Partial : TwoSampleVerdict.Withheld));
        return budget is { } time && result.Verdict == TwoSampleVerdict.Withheld
            ? result with { Reason = result.Reason + Text($" The budget of {time.TotalSeconds:0.###} s holds no more runs.") }
            : result;
    }

    private TwoSampleResult Count(RunCount second)
    {
        _second.Add(second);
        if (_decision is null && _second.Count >= _options.MinimumRuns)
        {
            _decision = Decide();
            if (_decision is not null) _decidedAfterRuns = _second.Count;
        }
        return Describe(_decision ?? TwoSampleVerdict.Withheld);
    }

    private TwoSampleVerdict? Decide()
    {
        var (difference, standardError) = Estimate();
        var reach = Quantile() * standardError;
        if (Math.Abs(difference) <= _options.Indifference / 2)
            return _options.Indifference - Math.Abs(difference) >= reach && IsUnlikely(_options.Indifference) && IsUnlikely(-_options.Indifference) ? TwoSampleVerdict.NoDifference : null;
        if (Math.Abs(difference) < reach) return null;
        return difference > 0 ? TwoSampleVerdict.FirstFaster : TwoSampleVerdict.SecondFaster;
    }

    // Whether no two probabilities with this difference explain the runs nearly as well as the observed shares do.
    private bool IsUnlikely(double difference)
    {
        var runs = Math.Min(_first.Count, _second.Count);
        var bound = RunLikelihood.DevianceBound(runs, _options.ComparisonError / 2 * PredictionTest.ErrorShare(Math.Max(1, _second.Count - _options.MinimumRuns + 1)));
        const double Ratio = 0.6180339887498949;
        double low = Math.Max(1e-6, -difference + 1e-6), high = Math.Min(1 - 1e-6, 1 - difference - 1e-6);
        // The deviance of one sample has one minimum in its probability, and so has their sum: golden section over the probability of the second.
        double left = high - Ratio * (high - low), right = low + Ratio * (high - low);
        double atLeft = At(left), atRight = At(right);
        while (high - low > .002)
        {
            if (Math.Min(atLeft, atRight) < bound) return false;
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

        double At(double second) =>
            RunLikelihood.Deviance(CollectionsMarshal.AsSpan(_first), second + difference) + RunLikelihood.Deviance(CollectionsMarshal.AsSpan(_second), second);
    }

    private double Quantile() => TwoSamplePlan.Quantile(
        _isPaired ? _second.Count : Math.Min(_first.Count, _second.Count), Math.Max(1, _second.Count - _options.MinimumRuns + 1), _options.ComparisonError);

    private (double Difference, double StandardError) Estimate()
    {
        var difference = TwoSampleResult.Mean(_first) - TwoSampleResult.Mean(_second);
        if (_first.Count < 2 || _second.Count < 2) return (difference, double.NaN);
        if (!_isPaired) return (difference, Math.Sqrt(VarianceOfMean(_first) + VarianceOfMean(_second)));
        var squares = 0.0;
        for (var run = 0; run < _second.Count; run++)
        {
            var deviation = Share(_first[run]) - Share(_second[run]) - difference;
            squares += deviation * deviation;
        }
        var observed = squares / (_second.Count - 1);
        return (difference, Math.Sqrt(Math.Max(observed, BinomialVariance(_first) + BinomialVariance(_second)) / _second.Count));
    }

    private static double VarianceOfMean(List<RunCount> runs)
    {
        double mean = TwoSampleResult.Mean(runs), squares = 0;
        foreach (var run in runs) squares += (Share(run) - mean) * (Share(run) - mean);
        return Math.Max(squares / (runs.Count - 1), BinomialVariance(runs)) / runs.Count;
    }

    // The variance of a run's share if its sequences were independent, at a probability kept off 0 and 1 by half a sequence.
    private static double BinomialVariance(List<RunCount> runs)
    {
        double successes = 0, samples = 0, inverses = 0;
        foreach (var run in runs) (successes, samples, inverses) = (successes + run.Successes, samples + run.Samples, inverses + 1.0 / run.Samples);
        var p = (successes + .5) / (samples + 1);
        return p * (1 - p) * inverses / runs.Count;
    }

    private static double Share(RunCount run) => (double)run.Successes / run.Samples;

    private TwoSampleResult Describe(TwoSampleVerdict verdict)
    {
        var (difference, standardError) = Estimate();
        var smaller = Math.Min(_first.Count, _second.Count);
        var all = new Interval(-1, 1);
        var result = new TwoSampleResult
        {
            Verdict = verdict,
            First = [.. _first],
            Second = [.. _second],
            IsPaired = _isPaired,
            Difference = difference,
            StandardError = standardError,
            Interval = smaller < 2 ? all : Around(difference, StudentT.InvCDF(0, 1, smaller - 1, .975) * standardError),
            VerdictInterval = _second.Count < _options.MinimumRuns || smaller < 2 ? all : Around(difference, Quantile() * standardError),
            DecidedAfterRuns = _decidedAfterRuns,
            Reason = "",
        };
        return result with { Reason = Reason(result) };
    }

    private string Reason(TwoSampleResult result)
    {
        if (_first.Count == 0 || _second.Count == 0) return "No run of both was observed.";
        var seen = Text($"in time {TwoSampleResult.Mean(_first):0.000} and {TwoSampleResult.Mean(_second):0.000} of the sequences, difference {result.Difference:+0.000;-0.000;0.000}")
            + Text($" (95 % interval {result.Interval.Lower:+0.000;-0.000;0.000} to {result.Interval.Upper:+0.000;-0.000;0.000}) in {_first.Count} and {_second.Count} runs");
        switch (result.Verdict)
        {
            case TwoSampleVerdict.NoDifference:
                return Text($"{seen}: no difference of {_options.Indifference:0.###} or more.");
            case TwoSampleVerdict.FirstFaster:
                return seen + ": the first is faster.";
            case TwoSampleVerdict.SecondFaster:
                return seen + ": the second is faster.";
        }
        if (_second.Count < _options.MinimumRuns)
            return Text($"{seen}; a verdict takes at least {_options.MinimumRuns} runs of each, because the sequences of one run are not independent.");
        if (result.VerdictInterval.Lower >= -_options.Indifference && result.VerdictInterval.Upper <= _options.Indifference && Math.Abs(result.Difference) <= _options.Indifference / 2)
        {
            return Text($"{seen}: so near to 1 or 0 these runs do not exclude that one of the two fails rarely but then for a whole run, and so differs by {_options.Indifference:0.###}; ")
                + "choose a threshold at which more sequences are late, or make more runs.";
        }
        var open = Text($"{seen}: with an error of {_options.ComparisonError:0.####} the difference may lie anywhere from {result.VerdictInterval.Lower:+0.000;-0.000;0.000} to {result.VerdictInterval.Upper:+0.000;-0.000;0.000}, ")
            + Text($"too wide to tell none from {_options.Indifference:0.###}.");
        var binomial = Math.Sqrt((BinomialVariance(_first) / _first.Count) + (BinomialVariance(_second) / _second.Count));
        return result.StandardError > 1.5 * binomial
            ? open + Text($" The runs differ {Math.Pow(result.StandardError / binomial, 2):0.#} times more than chance makes them: more runs help, longer ones hardly do.")
            : open + " More or longer runs help.";
    }

    private static Interval Around(double centre, double reach) => new(Math.Max(-1, centre - reach), Math.Min(1, centre + reach));

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
