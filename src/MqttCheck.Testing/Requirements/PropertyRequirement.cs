using MqttCheck.Properties;
using MqttCheck.Properties.Live;
using MqttCheck.Properties.Traces;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Testing.Reporting;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Testing.Requirements;

/// <summary>
/// The requirement that the traces of the clients fulfil a property of the text language with a probability or more. A
/// trace is the sequence of a client, or as many of them as the formula looks at. One-sided: a broker that is better
/// meets it.
/// </summary>
public sealed class PropertyRequirement : OneSidedRequirement<PropertyRequirement>
{
    private readonly TraceProperty _property;

    internal PropertyRequirement(TraceProperty property)
        : base(LiveProperty.ProbabilityOf(property), $"property '{property}'")
    {
        _property = property;
        Check();
    }

    /// <inheritdoc/>
    public override string Description => _property.ToString();

    internal override MeasuredVerdict Judge(Measurement measurement, TimeProvider time)
    {
        if (measurement is not FleetMeasurement fleet)
            throw new InputException(
                $"property '{_property}': asked of {measurement}, whose messages MqttCheck does not see; "
                    + "allowed: Broker.Measure(...), or Latency and Success of actions."
            );
        var property = LiveProperty.Of(_property, fleet.Population);
        foreach (var note in PropertySense.Notes(_property, fleet.Population))
            measurement.Host.WriteProgress($"MqttCheck: {note}");
        var plan = LivePropertyPlan.For(property, Options, fleet.Population, fleet.Clients, fleet.SequencesPerClient);
        if (Budget is { } given)
            plan.Require(new(given), BudgetName, measurement.Runs.Count);
        // Who waits for minutes wants to know beforehand.
        if (plan.Planned > DefaultBudget)
            measurement.Host.WriteProgress($"MqttCheck: {Description}: {plan.Announcement}.");
        var test = new LivePropertyTest(property, Options, plan.Runs);
        var series = new LivePropertySeries<MeasuredRun>(
            test,
            turn => measurement.Run(turn.Index, plan.CountedSequences),
            run => ((FleetMeasuredRun)run).Exchanges
        );
        var tally = MakeRuns(measurement, series, Budget ?? plan.Budget(Options), time);
        var result = series.Conclude(tally);
        // A test that passes shows no message, and its property may be about few of the clients.
        if (result.JudgedOn is { } judged)
            measurement.Host.WriteProgress($"MqttCheck: {Description}: {judged}.");
        return Describe(result, tally);
    }

    private MeasuredVerdict Describe(LivePropertyResult result, RunTally<MeasuredRun> tally) =>
        new()
        {
            IsMet = result.Holds,
            Property = result,
            Latency = MeasuredLatency.Any,
            PerMessage = false,
            Samples = "traces",
            ThresholdMilliseconds = double.NaN,
            Probability = Options.Probability,
            Indifferent = new(Options.Probability - Options.EffectiveIndifference, Options.Probability),
            Promise = result.Promise,
            NotExcluded = result.NotExcluded,
            Reason = result.Holds is null ? "withheld: " + result.Reason : result.Reason,
            Runs = [.. result.Runs.Where(run => run.Count.Samples > 0).Select(run => run.Count)],
            Variation = result.Requirement?.Variation ?? new(1, null, 0),
            Interval = result.Interval,
            Tally = tally,
        };
}
