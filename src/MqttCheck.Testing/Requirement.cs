using MqttCheck.Predictions;
using MqttCheck.Properties.Traces;
using MqttCheck.Testing.Requirements;

namespace MqttCheck.Testing;

/// <summary>
/// The requirements that a measurement can be asked to meet:
/// <c>Requirement.Latency(below: 50.Milliseconds(), probability: .95).Decide(measurement).ThrowIfNotMet()</c>.
/// </summary>
public static class Requirement
{
    /// <summary>
    /// All publications of a sequence are acknowledged in time. A sequence without publications is in time.
    /// </summary>
    /// <param name="below">The threshold, exclusive; positive.</param>
    /// <param name="probability">The probability with which a sequence must be in time, in (0, 1).</param>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public static LatencyRequirement Acknowledgement(TimeSpan below, double probability) =>
        new(MeasuredLatency.Acknowledgement, below, probability);

    /// <summary>
    /// All publications of a sequence are acknowledged and delivered to every subscriber in time. A sequence without
    /// publications is in time.
    /// </summary>
    /// <param name="below">The threshold, exclusive; positive.</param>
    /// <param name="probability">The probability with which a sequence must be in time, in (0, 1).</param>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public static LatencyRequirement Delivery(TimeSpan below, double probability) =>
        new(MeasuredLatency.Publish, below, probability);

    /// <summary>All messages of a sequence, of every kind, are answered in time.</summary>
    /// <param name="below">The threshold, exclusive; positive.</param>
    /// <param name="probability">The probability with which a sequence must be in time, in (0, 1).</param>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public static LatencyRequirement Latency(TimeSpan below, double probability) =>
        new(MeasuredLatency.Any, below, probability);

    /// <summary>
    /// Sequences succeed, however late: none of their exchanges fails, or their action does not throw and ends within
    /// its time-out.
    /// </summary>
    /// <param name="probability">The probability with which a sequence must succeed, in (0, 1).</param>
    /// <exception cref="InputException">The probability is out of its range.</exception>
    public static LatencyRequirement Success(double probability) =>
        new(MeasuredLatency.Any, TimeSpan.MaxValue, probability);

    /// <summary>
    /// The traces of the clients fulfil a property of the text language, such as <c>P&gt;=0.99[ G latency(publish) &lt;
    /// 50ms ]</c> or <c>Q0.95[ max latency ] &lt; 50ms</c>.
    /// </summary>
    /// <param name="property">The property as text.</param>
    /// <exception cref="InputException">
    /// It is malformed, asks for a value, or cannot be tested with a stated error.
    /// </exception>
    public static PropertyRequirement Property(string property) => Property(TraceProperty.Parse(property, "property"));

    /// <summary>The traces of the clients fulfil a property.</summary>
    /// <param name="property">The property.</param>
    /// <exception cref="InputException">It asks for a value, or cannot be tested with a stated error.</exception>
    public static PropertyRequirement Property(TraceProperty property)
    {
        ArgumentNullException.ThrowIfNull(property);
        return new(property);
    }

    /// <summary>
    /// The broker is neither worse nor better than a stored prediction says, within the indifference: a two-sided test
    /// at the prediction's most informative threshold for the measured setup.
    /// </summary>
    /// <param name="file">The prediction file that <c>mqttcheck predict</c> wrote.</param>
    /// <exception cref="InputException">The file is missing or malformed.</exception>
    public static PredictionRequirement Prediction(string file) => new(PredictionFile.Read(file));

    /// <summary>The broker is neither worse nor better than predicted.</summary>
    /// <param name="prediction">The prediction.</param>
    public static PredictionRequirement Prediction(Prediction prediction) => new(prediction);

    /// <summary>
    /// An FsCheck property holds with a probability: a sequential test on independent cases, as many as a verdict
    /// takes.
    /// </summary>
    /// <param name="atLeast">The required probability p, in (0, 1).</param>
    /// <param name="within">
    /// d: the requirement is met although the truth is p - d or less with a probability of at most the error. Null, the
    /// default, is the smaller of .1, 1 - p and p / 2.
    /// </param>
    /// <param name="error">
    /// The largest probability of each wrong verdict, in (0, .5); it is also violated although the truth is p or more
    /// with this probability at most.
    /// </param>
    /// <param name="maxCases">
    /// The largest number of cases; without a verdict after them it is withheld. Null, the default, is as many as a
    /// verdict takes.
    /// </param>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public static ProbabilityRequirement Probability(
        double atLeast,
        double? within = null,
        double error = .01,
        long? maxCases = null
    ) =>
        new(
            new()
            {
                AtLeast = atLeast,
                Within = within,
                Error = error,
                MaxCases = maxCases,
            }
        );

    /// <summary>
    /// No statement of the MQTT standard that says MUST is seen violated by <c>broker.Check(...)</c>.
    /// </summary>
    public static ConformanceRequirement Conformance() => new();
}
