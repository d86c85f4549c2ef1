using System.Diagnostics;
using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Traces;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using QualityOfService = MqttCheck.Protocol.QualityOfService;

namespace MqttCheck.Properties.Live;

/// <summary>
/// A property as it is tested on a live broker: which traces fulfil it, and the probability with which they must.
/// </summary>
/// <remarks>
/// <c>P&gt;=p[ f ]</c> is what it says; <c>P&lt;=p[ f ]</c> is <c>P&gt;=1-p[ !f ]</c>; <c>Qs[ m ] &lt; t</c> is the
/// probability s of a measure below t, and <c>Qs[ m ] &gt; t</c> the probability 1 - s of one above.
/// </remarks>
public sealed record LiveProperty
{
    private readonly Population _population;

    private LiveProperty(TraceProperty property, double probability, string meaning, Population population)
    {
        (Property, Probability, Meaning, _population) = (property, probability, meaning, population);
        SequencesPerTrace = SimulatedTraces.SequencesFor(property, population);
    }

    /// <summary>The property as it was asked.</summary>
    public TraceProperty Property { get; }

    /// <summary>The probability with which a trace must fulfil it, where it says something about the trace.</summary>
    public double Probability { get; }

    /// <summary>The condition on a trace, as text.</summary>
    public string Meaning { get; }

    /// <summary>How many sequences of a client make a trace.</summary>
    public int SequencesPerTrace { get; }

    /// <summary>Makes a property one that can be tested.</summary>
    /// <param name="property">A property that holds or does not.</param>
    /// <param name="population">Whose traces.</param>
    /// <exception cref="InputException">
    /// It asks for a value, cannot be tested as a probability, or every trace gives the same result.
    /// </exception>
    public static LiveProperty Of(TraceProperty property, Population population)
    {
        var probability = ProbabilityOf(property);
        PropertySense.RequireGate(property, population);
        RequireAcknowledgements(property, population);
        var meaning = property.Kind switch
        {
            PropertyKind.AtLeast => property.Formula!.ToString(),
            PropertyKind.AtMost => (!property.Formula!).ToString(),
            PropertyKind.Probability
            or PropertyKind.Expectation
            or PropertyKind.Quantile
            or PropertyKind.Distribution =>
                $"{property.Measure} {property.Bound!.Value.Text(property.Measure!.IsDuration)}",
            _ => throw new UnreachableException(),
        };
        return new(property, probability, meaning, population);
    }

    /// <summary>The probability with which a trace must fulfil a property.</summary>
    /// <param name="property">A property that holds or does not.</param>
    /// <exception cref="InputException">It asks for a value, or cannot be tested as a probability.</exception>
    public static double ProbabilityOf(TraceProperty property)
    {
        var probability = property switch
        {
            { Kind: PropertyKind.AtLeast } => property.Level,
            { Kind: PropertyKind.AtMost } => 1 - property.Level,
            { Kind: PropertyKind.Quantile, Bound: { } bound } => bound.IsUpper ? property.Level : 1 - property.Level,
            _ => throw new InputException($"property '{property}' {Refusal(property)}"),
        };
        // .05 is meant where 1 - .95 is computed.
        return Math.Round(probability, 12);
    }

    /// <summary>The requirement that is tested.</summary>
    /// <param name="error">The largest probability of each wrong verdict.</param>
    /// <param name="indifference">
    /// How far below the probability the truth must lie to be found a violation for sure; null for the default.
    /// </param>
    /// <param name="guarantee">Under which assumption the error is promised.</param>
    /// <param name="worstRun">The share below which no run lies, as the user vouches; null for none.</param>
    public RequirementOptions Requirement(
        double error,
        double? indifference = null,
        Guarantee guarantee = Guarantee.Model,
        double? worstRun = null
    ) =>
        new()
        {
            Probability = Probability,
            Error = error,
            Indifference = indifference,
            Guarantee = guarantee,
            WorstRun = worstRun,
        };

    /// <summary>Applies the property to the exchanges of a run.</summary>
    /// <param name="exchanges">All exchanges of one run, in any order.</param>
    public LiveRun Judge(IEnumerable<Exchange> exchanges)
    {
        var (runs, notCounted) = LoggedTraces.Of(exchanges, SequencesPerTrace, _ => _population);
        if (runs.Count > 1)
            throw new ArgumentException("must be those of one run", nameof(exchanges));
        if (runs.Count == 0)
            return new(0, 0, 0, 0, notCounted);
        var unit = runs[0].Values(Property);
        var (values, _, cutShort) = unit;
        return new(values.Count(Fulfils), values.Count(double.IsNaN), values.Length, cutShort, notCounted)
        {
            Judged = JudgedTraces.Of([unit]),
        };
    }

    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Meaning} with a probability of at least {Probability:0.######}");

    private bool Fulfils(double value) =>
        Property.Kind switch
        {
            PropertyKind.AtLeast => value == 1,
            PropertyKind.AtMost => value == 0,
            PropertyKind.Probability
            or PropertyKind.Expectation
            or PropertyKind.Quantile
            or PropertyKind.Distribution => Property.Bound!.Value.Admits(value),
            _ => throw new UnreachableException(),
        };

    // A publication with QoS 0 has no acknowledgement: every trace with one would count as late.
    private static void RequireAcknowledgements(TraceProperty property, Population population)
    {
        var kinds =
            property.Formula is { } formula
                ? FormulaParts
                    .Atoms(formula)
                    .OfType<ComparisonFormula>()
                    .Where(part => part.Quantity == TraceQuantity.Acknowledgement)
                    .Select(part => part.Kind)
            : property.UsesAcknowledgements ? [property.Measure!.Kind]
            : [];
        if (!kinds.Any(kind => kind is null or MessageKind.Publish))
            return;
        if (
            population.Groups.All(group =>
                group.Profile is not { AfterConnect.Qos: QualityOfService.AtMostOnce }
                && (group.Profile.Qos != QualityOfService.AtMostOnce || !group.Profile.SendsPublications)
            )
        )
            return;
        throw new InputException(
            $"property '{property}' reads acknowledgements, and profile {population.Name} publishes with "
                + "QoS 0, which has none; "
                + "allowed: latency, or the acknowledgement of another kind such as acknowledgement(subscribe)."
        );
    }

    private static string Refusal(TraceProperty property) =>
        property.Kind switch
        {
            PropertyKind.Probability =>
                "asks for a value; allowed live: a number to compare it with, such as 'P>=0.95[ "
                    + $"{property.Formula} ]', or 'estimate --log' for the value.",
            PropertyKind.Quantile =>
                $"asks for a value; allowed live: a bound, such as '{property} < 50ms', or 'estimate --log' "
                    + "for the value.",
            PropertyKind.Expectation =>
                "cannot be tested live with a stated error, because one slow message may be worth any "
                    + $"number of fast ones; allowed: a quantile with a bound, such as 'Q0.95[ {property.Measure} "
                    + "] < 50ms'.",
            PropertyKind.AtLeast or PropertyKind.AtMost or PropertyKind.Distribution =>
                "asks for a whole distribution; allowed live: P>=p[ formula ], P<=p[ formula ] and Qs[ "
                    + "measure ] < t, or 'estimate --log' for the distribution.",
            _ => throw new UnreachableException(),
        };
}
