using System.Globalization;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Testing.Reporting;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Testing.Requirements;

/// <summary>
/// The requirement that samples are in time with a probability or more: one-sided, so a broker that is better meets it.
/// A sample is a sequence of messages of one client (10 in the built-in profiles), in time when all of them are, unless
/// <see cref="PerMessage"/> says otherwise.
/// </summary>
public sealed class LatencyRequirement : MeasuringRequirement
{
    private readonly MeasuredLatency _latency;
    private readonly TimeSpan _below;
    private RequirementOptions _options;
    private bool _perMessage;
    private string? _step;
    private MeasurementWords _words = MeasurementWords.Fleet;

    internal LatencyRequirement(MeasuredLatency latency, TimeSpan below, double probability)
    {
        if (below <= TimeSpan.Zero)
            throw new InputException($"requirement: the threshold is {below}; it must be positive.");
        (_latency, _below, _options) = (latency, below, new() { Probability = probability });
        Check();
    }

    /// <inheritdoc/>
    public override string Description =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{What}{(HasDeadline ? $" in less than {_below.TotalMilliseconds:0.###} ms" : "")} with a "
                + $"probability of at least {_options.Probability}"
        );

    /// <summary>A sample is a single message instead of a sequence.</summary>
    public LatencyRequirement PerMessage()
    {
        _perMessage = true;
        return this;
    }

    /// <summary>
    /// Only the steps of a name count, where the measurement is of <c>Measure.Sequences(...)</c>. A sequence without
    /// such a step is in time.
    /// </summary>
    /// <param name="name">The name that the action gave to <c>Step</c>.</param>
    public LatencyRequirement OfStep(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        _step = name;
        return this;
    }

    /// <summary>The largest probability of each wrong verdict, in (0, .5). Default .01.</summary>
    /// <param name="probability">The probability.</param>
    public LatencyRequirement WithError(double probability) => Change(_options with { Error = probability });

    /// <summary>
    /// How far below the required probability the truth must lie to be found a violation for sure; see
    /// <see cref="RequirementOptions.Indifference"/>.
    /// </summary>
    /// <param name="distance">The distance, greater than 0.</param>
    public LatencyRequirement WithIndifference(double distance) => Change(_options with { Indifference = distance });

    /// <summary>
    /// The smallest number of runs, at least 3. By default as many as exclude a broker that fails rarely but then for a
    /// whole run.
    /// </summary>
    /// <param name="runs">The number.</param>
    public LatencyRequirement WithRuns(int runs) => Change(_options with { MinimumRuns = runs });

    /// <summary>
    /// The largest correlation of two samples of one run for which the error is promised, above 0, at most .4, the
    /// default. Requirements near 1 take far fewer runs with a smaller one.
    /// </summary>
    /// <param name="correlation">The correlation.</param>
    public LatencyRequirement WithCorrelationUpTo(double correlation) =>
        Change(_options with { LargestCorrelation = correlation });

    /// <summary>
    /// Under which assumption the error is promised. The default, <see cref="Guarantee.Model"/>, takes few runs and may
    /// miss a bad state that occurs rarely; <see cref="Guarantee.Any"/> holds for independent runs of any law and takes
    /// many. How many, and how long, is written to the progress of the test beforehand.
    /// </summary>
    /// <param name="guarantee">The guarantee.</param>
    public LatencyRequirement WithGuarantee(Guarantee guarantee) => Change(_options with { Guarantee = guarantee });

    /// <summary>How long the runs may take. By default 60 s, more where the planned runs take longer.</summary>
    /// <param name="budget">The time.</param>
    public LatencyRequirement Within(TimeSpan budget)
    {
        Budget = budget;
        return this;
    }

    // Without a deadline whatever ends is in time.
    private bool HasDeadline => _below < TimeSpan.MaxValue;

    private double ThresholdMilliseconds => HasDeadline ? _below.TotalMilliseconds : double.PositiveInfinity;

    private string Message => _step is null ? _words.Message : $"{_words.Message} '{_step}'";

    private string What =>
        (_latency, _perMessage) switch
        {
            (MeasuredLatency.Acknowledgement, true) => "a publication is acknowledged",
            (MeasuredLatency.Publish, true) => "a publication is acknowledged and delivered",
            (_, true) => HasDeadline ? $"a {Message} {_words.Ends}" : $"a {Message} succeeds",
            (MeasuredLatency.Acknowledgement, _) => "every publication of a sequence is acknowledged",
            (MeasuredLatency.Publish, _) => "every publication of a sequence is acknowledged and delivered",
            _ => HasDeadline ? $"every {Message} of a sequence {_words.Ends}" : "a sequence succeeds",
        };

    internal override MeasuredVerdict Judge(Measurement measurement, TimeProvider time)
    {
        _words = measurement.Words;
        measurement.Check(_latency, _step);
        var plan = PlanFor(measurement);
        Announce(plan, measurement);
        var series = new RequirementSeries<MeasuredRun>(
            _options,
            plan,
            turn => measurement.Run(turn.Index, plan.Rounds),
            run => Count(measurement, run)
        );
        var tally = MakeRuns(measurement, series, Budget ?? BudgetOf(plan, measurement), time);
        return Describe(series.Conclude(tally), tally);
    }

    private RunCount Count(Measurement measurement, MeasuredRun run)
    {
        var samples = run.Samples(_latency, _perMessage, _step);
        if (samples.Count == 0)
            throw new InputException(
                $"requirement: a run of {measurement} has no sample; "
                    + "give it more sequences per client, or a profile that publishes."
            );
        var threshold = ThresholdMilliseconds;
        return new(samples.Count(sample => sample < threshold), samples.Count);
    }

    private string Samples =>
        !_perMessage ? "sequences"
        : _latency == MeasuredLatency.Any ? _words.Messages
        : "publications";

    private MeasuredVerdict Describe(RequirementResult? result, RunTally<MeasuredRun> tally)
    {
        var low = _options.Probability - _options.EffectiveIndifference;
        return new()
        {
            IsMet = result?.Verdict switch
            {
                RequirementVerdict.Met => true,
                RequirementVerdict.Violated => false,
                _ => null,
            },
            Latency = _latency,
            PerMessage = _perMessage,
            ThresholdMilliseconds = ThresholdMilliseconds,
            Samples = Samples,
            Step = _step,
            Probability = _options.Probability,
            Indifferent = new(low, _options.Probability),
            Promise = RequirementPromise.Error(_options, Samples),
            NotExcluded = result is null
                ? null
                : RequirementPromise.NotExcluded(_options, result.DecidedAfterRuns ?? result.Runs.Count),
            Reason =
                result is null ? $"withheld: {tally.WhyWithheld()}"
                : result.Unusable is { } why ? $"withheld: {why}"
                : result.Verdict == RequirementVerdict.Withheld ? WhyWithheld(result)
                : Seen(result),
            Runs = result?.Runs ?? [],
            Variation = result?.Variation ?? new(1, null, 0),
            Interval = result?.Interval ?? new(0, 1),
            Tally = tally,
        };
    }

    private static string Seen(RequirementResult result) =>
        result.Options.Guarantee == Guarantee.Any
            ? Text($"bets on the runs won {Math.Exp(Math.Abs(result.Evidence)):0.#} times their stake, ")
                + Text($"{Math.Exp(result.Bound):0.#} are needed")
            : Text($"the evidence is {Math.Abs(result.Evidence):0.0} standard errors, {result.Bound:0.0} are needed");

    private static string WhyWithheld(RequirementResult result)
    {
        if (result.Options.Guarantee == Guarantee.Any)
        {
            return Text($"withheld: {Seen(result)} after {result.Runs.Count} runs. Without an ")
                + Text($"assumption on the law of the runs it takes {result.Plan.FirstMetLook} runs if ")
                + "the broker is always in time, "
                + Text($"and {result.Plan.Runs} if it is so just as often as required: allow more time ")
                + "with Within(...), or a larger WithIndifference(...)";
        }
        if (result.Evidence > 0 && result.Runs.Count < result.Plan.FirstMetLook)
            return Text($"withheld: the time ended after {result.Runs.Count} runs, a verdict takes at least ")
                + Text($"{result.Plan.FirstMetLook}: allow more time with Within(...)");
        var seen = Text($"withheld: {Seen(result)} after {result.Runs.Count} runs. ");
        return seen
            + (
                result.Variation.Inflation > 3
                    ? Text($"The runs differ {result.Variation.Inflation:0.#} times more than chance ")
                        + "makes them: allow more time with Within(...), or let the broker settle"
                : !result.AreRareBadRunsExcluded && Math.Abs(result.Evidence) >= result.Bound
                    ? "These runs do not exclude a broker that fails rarely but then for a whole run: allow "
                        + "more time with Within(...), or state with WithCorrelationUpTo(...) that yours does not"
                : Math.Abs(result.Evidence) >= result.Bound && result.Runs.Count < result.Plan.Runs
                    ? Text($"The next verdict is due after {result.Plan.Runs} runs, because each look ")
                        + "spends a part of the error: allow more time with Within(...)"
                : "The truth lies near the required probability: allow more time with Within(...), or a "
                    + "larger WithIndifference(...)"
            );
    }

    // Who waits for minutes wants to know beforehand; a budget that cannot suffice is refused before the first run.
    private void Announce(RequirementPlan plan, Measurement measurement)
    {
        var (least, planned) = (Duration(plan, plan.FirstMetLook, measurement), Duration(plan, plan.Runs, measurement));
        if (_options.Guarantee == Guarantee.Any && Budget is { } given && given < least)
        {
            throw new InputException(
                Text($"requirement: Within({given.TotalSeconds:0.###} s) is too short for ")
                    + Text($"Guarantee.Any: {plan.FirstMetLook} runs, about {least.TotalSeconds:0} s, are ")
                    + "needed if the broker is always in time, "
                    + Text($"{plan.Runs} runs, about {planned.TotalSeconds:0} s, if it is so just as ")
                    + "often as required; allow more time, a larger WithError(...) or "
                    + "WithIndifference(...), or leave WithGuarantee(...) out."
            );
        }
        if (_options.Guarantee != Guarantee.Any && planned <= DefaultBudget)
            return;
        measurement.Host.WriteProgress(
            Text($"MqttCheck: {Description}: {plan.FirstMetLook} runs, about {least.TotalSeconds:0} s, ")
                + "if the broker is always in time; "
                + Text($"{plan.Runs} runs, about {planned.TotalSeconds:0} s, if it is so just as often as required.")
        );
    }

    private RequirementPlan PlanFor(Measurement measurement)
    {
        var perSequence = _perMessage ? measurement.SamplesPerSequence(_latency, _step) : 1;
        return RequirementPlan.For(
            _options,
            measurement.Clients * perSequence,
            measurement.RunOverhead / measurement.SequenceTime,
            measurement.SequencesPerClient
        );
    }

    // Two runs more than planned; without an assumption a quarter more, as bets have no planned end.
    private TimeSpan BudgetOf(RequirementPlan plan, Measurement measurement) =>
        TimeSpan.FromTicks(
            Math.Max(
                DefaultBudget.Ticks,
                Duration(
                    plan,
                    _options.Guarantee == Guarantee.Any ? plan.Runs * 5 / 4 + 2 : plan.Runs + 2,
                    measurement
                ).Ticks
            )
        );

    private static TimeSpan Duration(RequirementPlan plan, int runs, Measurement measurement) =>
        runs * measurement.RunTimeOf(plan.Rounds);

    private LatencyRequirement Change(RequirementOptions options)
    {
        _options = options;
        Check();
        return this;
    }

    private void Check()
    {
        InputException.ThrowIfAny(_options.Validate("requirement"));
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
