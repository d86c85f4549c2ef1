using System.Diagnostics;
using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Testing.Reporting;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.Testing.Requirements;

/// <summary>
/// The requirement that samples are in time with a probability or more: one-sided, so a broker that is better meets it.
/// A sample is a sequence of messages of one client (10 in the built-in profiles), in time when all of them are, unless
/// <see cref="PerMessage"/> says otherwise.
/// </summary>
public sealed class LatencyRequirement : OneSidedRequirement<LatencyRequirement>
{
    private readonly MeasuredLatency _latency;
    private readonly TimeSpan _below;
    private bool _perMessage;
    private string? _step;
    private MeasurementWords _words = MeasurementWords.Fleet;

    internal LatencyRequirement(MeasuredLatency latency, TimeSpan below, double probability)
        : base(probability, "requirement")
    {
        if (below <= TimeSpan.Zero)
            throw new InputException($"requirement: the threshold is {below}; it must be positive.");
        (_latency, _below) = (latency, below);
        Check();
    }

    /// <inheritdoc/>
    public override string Description =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{What}{(HasDeadline ? $" in less than {_below.TotalMilliseconds:0.###} ms" : "")} with a "
                + $"probability of at least {Options.Probability}"
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
            Options,
            plan,
            turn => measurement.Run(turn.Index, plan.Rounds),
            run => Count(measurement, run),
            CountInvalid
        );
        var tally = MakeRuns(measurement, series, Budget ?? BudgetOf(plan, measurement), time);
        return Describe(series.Conclude(tally), tally);
    }

    private RunCount CountInvalid(MeasuredRun run)
    {
        var samples = run.Samples(_latency, _perMessage, _step);
        return new(samples.Count(sample => sample < ThresholdMilliseconds), samples.Count);
    }

    private RunCount Count(Measurement measurement, MeasuredRun run)
    {
        var counted = CountInvalid(run);
        if (counted.Samples == 0)
            throw new InputException(
                $"requirement: a run of {measurement} has no sample; "
                    + "give it more sequences per client, or a profile that publishes."
            );
        return counted;
    }

    private string Samples =>
        !_perMessage ? "sequences"
        : _latency == MeasuredLatency.Any ? _words.Messages
        : "publications";

    private MeasuredVerdict Describe(RequirementResult? result, RunTally<MeasuredRun> tally)
    {
        var low = Options.Probability - Options.EffectiveIndifference;
        return new()
        {
            IsMet = result?.Verdict switch
            {
                RequirementVerdict.Met => true,
                RequirementVerdict.Violated => false,
                null or RequirementVerdict.Withheld => null,
                _ => throw new UnreachableException(),
            },
            Latency = _latency,
            PerMessage = _perMessage,
            ThresholdMilliseconds = ThresholdMilliseconds,
            Samples = Samples,
            Step = _step,
            Probability = Options.Probability,
            Indifferent = new(low, Options.Probability),
            Promise = RequirementPromise.Error(Options),
            NotExcluded = result is null ? null : RequirementPromise.NotExcluded(result),
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
            ? Invariant($"bets on the runs won {Math.Exp(Math.Abs(result.Evidence)):0.#} times their stake, ")
                + Invariant($"{Math.Exp(result.Bound):0.#} are needed")
            : Invariant(
                $"the evidence is {Math.Abs(result.Evidence):0.0} standard errors, {result.Bound:0.0} are needed"
            );

    private static string WhyWithheld(RequirementResult result)
    {
        if (result.Options.Guarantee == Guarantee.Any)
        {
            return Invariant($"withheld: {Seen(result)} after {result.Runs.Count} runs. Without an ")
                + Invariant($"assumption on the law of the runs it takes {result.Plan.FirstMetLook} runs if ")
                + "the broker is always in time, "
                + Invariant($"and {result.Plan.Runs} if it is so just as often as required: allow more time ")
                + "with Within(...), or a larger WithIndifference(...)";
        }
        if (result.Evidence > 0 && result.Runs.Count < result.Plan.FirstMetLook)
            return Invariant($"withheld: the time ended after {result.Runs.Count} runs, a verdict takes at least ")
                + Invariant($"{result.Plan.FirstMetLook}: allow more time with Within(...)");
        var seen = Invariant($"withheld: {Seen(result)} after {result.Runs.Count} runs. ");
        return seen
            + (
                result.Variation.Inflation > 3
                    ? Invariant($"The runs differ {result.Variation.Inflation:0.#} times more than chance ")
                        + "makes them: allow more time with Within(...), or let the broker settle"
                : !result.AreRareBadRunsExcluded && Math.Abs(result.Evidence) >= result.Bound
                    ? "These runs do not exclude a broker that fails rarely but then for a whole run: allow "
                        + "more time with Within(...), or state with WithCorrelationUpTo(...) that yours does not"
                : Math.Abs(result.Evidence) >= result.Bound && result.Runs.Count < result.Plan.Runs
                    ? Invariant($"The next verdict is due after {result.Plan.Runs} runs, because each look ")
                        + "spends a part of the error: allow more time with Within(...)"
                : "The truth lies near the required probability: allow more time with Within(...), or a "
                    + "larger WithIndifference(...)"
            );
    }

    // Who waits for minutes wants to know beforehand; a budget that cannot suffice is refused before the first run.
    private void Announce(RequirementPlan plan, Measurement measurement)
    {
        var (least, planned) = (Duration(plan, plan.FirstMetLook, measurement), Duration(plan, plan.Runs, measurement));
        if (Budget is { } given)
            new TimeBudget(given).Require(
                BudgetName,
                Duration(plan, Math.Max(0, plan.FirstMetLook - measurement.Runs.Count), measurement),
                planned,
                Invariant($"{plan.FirstMetLook} runs, about {least.TotalSeconds:0} s, are needed if the broker is ")
                    + Invariant(
                        $"always in time, {plan.Runs} runs, about {planned.TotalSeconds:0} s, if it is so just "
                    )
                    + "as often as required",
                "a larger WithError(...) or WithIndifference(...)"
                    + (Options.Guarantee == Guarantee.Any ? ", or leave WithGuarantee(...) out" : "")
            );
        if (Options.Guarantee != Guarantee.Any && planned <= DefaultBudget)
            return;
        measurement.Host.WriteProgress(
            Invariant($"MqttCheck: {Description}: {plan.FirstMetLook} runs, about {least.TotalSeconds:0} s, ")
                + "if the broker is always in time; "
                + Invariant(
                    $"{plan.Runs} runs, about {planned.TotalSeconds:0} s, if it is so just as often as required."
                )
                + (Options.Guarantee == Guarantee.Any ? " " + VerdictPromise.Borne(plan.InvalidRunsBorne(Options)) : "")
        );
    }

    private RequirementPlan PlanFor(Measurement measurement)
    {
        var perSequence = _perMessage ? measurement.SamplesPerSequence(_latency, _step) : 1;
        return RequirementPlan.For(
            Options,
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
                Duration(plan, Options.Guarantee == Guarantee.Any ? plan.RunsInTime : plan.Runs + 2, measurement).Ticks
            )
        );

    private static TimeSpan Duration(RequirementPlan plan, int runs, Measurement measurement) =>
        runs * measurement.RunTimeOf(plan.Rounds);
}
