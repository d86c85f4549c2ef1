using System.Globalization;
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
public sealed class PropertyRequirement : MeasuringRequirement
{
    private readonly TraceProperty _property;
    private RequirementOptions _options;

    internal PropertyRequirement(TraceProperty property)
    {
        ArgumentNullException.ThrowIfNull(property);
        (_property, _options) = (property, new() { Probability = LiveProperty.ProbabilityOf(property) });
        Check();
    }

    /// <inheritdoc/>
    public override string Description => _property.ToString();

    /// <summary>The largest probability of each wrong verdict, in (0, .5). Default .01.</summary>
    /// <param name="probability">The probability.</param>
    public PropertyRequirement WithError(double probability) => Change(_options with { Error = probability });

    /// <summary>
    /// How far below the required probability the truth must lie to be found a violation for sure; see
    /// <see cref="RequirementOptions.Indifference"/>.
    /// </summary>
    /// <param name="distance">The distance, greater than 0.</param>
    public PropertyRequirement WithIndifference(double distance) => Change(_options with { Indifference = distance });

    /// <summary>
    /// The smallest number of runs, at least 3. By default as many as exclude a broker that fails rarely but then for a
    /// whole run.
    /// </summary>
    /// <param name="runs">The number.</param>
    public PropertyRequirement WithRuns(int runs) => Change(_options with { MinimumRuns = runs });

    /// <summary>
    /// The largest correlation of two traces of one run for which the error is promised, above 0, at most .4, the
    /// default. Requirements near 1 take far fewer runs with a smaller one.
    /// </summary>
    /// <param name="correlation">The correlation.</param>
    public PropertyRequirement WithCorrelationUpTo(double correlation) =>
        Change(_options with { LargestCorrelation = correlation });

    /// <summary>
    /// Under which assumption the error is promised; see <see cref="LatencyRequirement.WithGuarantee"/>.
    /// </summary>
    /// <param name="guarantee">The guarantee.</param>
    public PropertyRequirement WithGuarantee(Guarantee guarantee) => Change(_options with { Guarantee = guarantee });

    /// <summary>How long the runs may take. By default 60 s, more where the planned runs take longer.</summary>
    /// <param name="budget">The time.</param>
    public PropertyRequirement Within(TimeSpan budget)
    {
        Budget = budget;
        return this;
    }

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
        var plan = LivePropertyPlan.For(property, _options, fleet.Population, fleet.Clients, fleet.SequencesPerClient);
        if (Budget is { } given)
            plan.RequireTime(_options, given, "Within(...)");
        // Who waits for minutes wants to know beforehand.
        if (plan.Planned > DefaultBudget)
            measurement.Host.WriteProgress($"MqttCheck: {Description}: {plan.Announcement}.");
        var test = new LivePropertyTest(property, _options, plan.Runs);
        var series = new LivePropertySeries<MeasuredRun>(
            test,
            turn => measurement.Run(turn.Index, plan.CountedSequences),
            run => ((FleetMeasuredRun)run).Exchanges
        );
        var tally = MakeRuns(measurement, series, Budget ?? plan.Budget(_options), time);
        return Describe(series.Conclude(tally), tally);
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
            Probability = _options.Probability,
            Indifferent = new(_options.Probability - _options.EffectiveIndifference, _options.Probability),
            Promise = result.Promise,
            NotExcluded = result.NotExcluded,
            Reason = result.Holds is null ? "withheld: " + result.Reason : result.Reason,
            Runs = [.. result.Runs.Where(run => run.Count.Samples > 0).Select(run => run.Count)],
            Variation = result.Requirement?.Variation ?? new(1, null, 0),
            Interval = result.Interval,
            Tally = tally,
        };

    private PropertyRequirement Change(RequirementOptions options)
    {
        _options = options;
        Check();
        return this;
    }

    private void Check()
    {
        InputException.ThrowIfAny(
            _options.Validate(string.Create(CultureInfo.InvariantCulture, $"property '{_property}'"))
        );
    }
}
