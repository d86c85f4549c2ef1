using MathNet.Numerics.Distributions;

namespace MqttCheck.Checking;

/// <summary>
/// The one-sided test of a requirement, "in time with probability p or more", against "p - d or less", with the run as the sampling unit: each run counts as one observation, its share in time (Student's t over
/// runs). Of the two hypotheses the one farther from the observed share is rejected when it lies t standard errors away. A broker that is better than required meets the requirement.
/// </summary>
/// <remarks>
/// Met is wrong (the truth is p - d or less), and violated is wrong (the truth is p or more), with a probability of at most the stated error each. Three quarters of it are spent at the first look, after
/// <see cref="RequirementOptions.MinimumRuns"/> runs, and a quarter of it times 1 / (j (j - 1)) at look j. A standard error smaller than that of independent samples under the rejected hypothesis is not credited.
/// What few runs cannot exclude is a broker that fails rarely but then for a whole run: at an indifference of .05 and a correlation of .36 inside a run (180 times the binomial variance of 500 samples) one
/// such broker in six passes after five to seven runs; <see cref="PredictionTest"/> excludes it too, and asks for many more runs.
/// </remarks>
public sealed class RequirementTest
{
    private readonly RequirementOptions _options;
    private readonly SprtPlan _plan;
    private readonly List<RunCount> _runs = [];
    private RequirementVerdict? _decision;
    private int? _decidedAfterRuns;

    /// <summary>A test without runs so far.</summary>
    /// <param name="options">The requirement and the error.</param>
    /// <exception cref="InputException">An option is out of range.</exception>
    public RequirementTest(RequirementOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var errors = options.Validate("requirement");
        if (errors.Count > 0) throw new InputException(string.Join('\n', errors));
        (_options, _plan) = (options, PlanOf(options));
    }

    /// <summary>How many samples each run should have: together with the smallest number of runs twice as many as Wald's test of independent samples takes on average when the requirement is just met.</summary>
    /// <param name="options">The requirement and the error, valid.</param>
    /// <returns>Samples per run, at least 1.</returns>
    public static int SamplesNeeded(RequirementOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var plan = PlanOf(options);
        return (int)Math.Ceiling(2 * SprtAudit.Compute(plan, plan.P1).ExpectedSamples / options.MinimumRuns);
    }

    /// <summary>Counts one run, after which there may be a verdict. A verdict once given stays.</summary>
    /// <param name="run">The run, with at least one sample.</param>
    /// <returns>What the test says now.</returns>
    public RequirementResult AddRun(RunCount run)
    {
        _runs.Add(run);
        var mean = _runs.Average(counted => (double)counted.Successes / counted.Samples);
        var meets = mean >= (_plan.P0 + _plan.P1) / 2;
        var rejected = meets ? _plan.P0 : _plan.P1;
        var evidence = (mean - rejected) / StandardError(mean, rejected);
        var look = Math.Max(1, _runs.Count - _options.MinimumRuns + 1);
        var bound = StudentT.InvCDF(0, 1, Math.Max(_runs.Count, _options.MinimumRuns) - 1, 1 - _options.Error * PredictionTest.ErrorShare(look));
        if (_decision is null && _runs.Count >= _options.MinimumRuns && Math.Abs(evidence) >= bound)
            (_decision, _decidedAfterRuns) = (meets ? RequirementVerdict.Met : RequirementVerdict.Violated, _runs.Count);
        var counts = System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_runs);
        return new()
        {
            Verdict = _decision ?? RequirementVerdict.Withheld,
            Runs = [.. _runs],
            Variation = RunVariation.Of(_runs),
            Interval = _runs.Count < 2 ? new(0, 1) : RunLikelihood.Interval(counts, RunLikelihood.DevianceBound(_runs.Count, .025)),
            Evidence = evidence,
            Bound = bound,
            DecidedAfterRuns = _decidedAfterRuns,
        };
    }

    private double StandardError(double mean, double hypothesis)
    {
        double squares = 0, inverses = 0;
        foreach (var run in _runs)
        {
            var deviation = (double)run.Successes / run.Samples - mean;
            squares += deviation * deviation;
            inverses += 1.0 / run.Samples;
        }
        var independent = hypothesis * (1 - hypothesis) * inverses / _runs.Count;
        var observed = _runs.Count < 2 ? independent : squares / (_runs.Count - 1);
        return Math.Sqrt(Math.Max(observed, independent) / _runs.Count);
    }

    private static SprtPlan PlanOf(RequirementOptions options) =>
        new(options.Probability - options.EffectiveIndifference, options.Probability, options.Error, options.Error);
}
