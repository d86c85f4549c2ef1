using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace MqttCheck.Signals;

/// <summary>
/// The source of all spans and the instruments of all metrics. Whoever wants them listens to <see cref="Name"/>, as
/// OpenTelemetry does; while nobody listens, nothing is recorded. Names follow the semantic conventions for messaging
/// where these have one.
/// </summary>
internal static class Instruments
{
    /// <summary>The name of the source and of the meter.</summary>
    public const string Name = "MqttCheck";

    // The conventions' own buckets begin at 5 ms, above most answers of a broker nearby.
    private static readonly double[] s_seconds =
    [
        .0001,
        .00025,
        .0005,
        .001,
        .0025,
        .005,
        .01,
        .025,
        .05,
        .075,
        .1,
        .25,
        .5,
        .75,
        1,
        2.5,
        5,
        7.5,
        10,
    ];

    private static readonly Meter s_meter = new(Name);

    /// <summary>The source of spans.</summary>
    public static ActivitySource Source { get; } = new(Name);

    /// <summary>How long requests took, from sending to the answer.</summary>
    public static Histogram<double> Operations { get; } =
        Seconds("messaging.client.operation.duration", "Time from sending a request to its answer.");

    /// <summary>How long messages took to reach their last receiver.</summary>
    public static Histogram<double> Deliveries { get; } =
        Seconds("mqttcheck.delivery.duration", "Time from sending a message to its last delivery.");

    /// <summary>How many messages were sent.</summary>
    public static Counter<long> Sent { get; } =
        s_meter.CreateCounter<long>("messaging.client.sent.messages", "{message}", "Messages sent to the broker.");

    /// <summary>How many messages arrived.</summary>
    public static Counter<long> Consumed { get; } =
        s_meter.CreateCounter<long>("messaging.client.consumed.messages", "{message}", "Messages that arrived.");

    /// <summary>Whether anybody wants to know of a run.</summary>
    public static bool AreHeard => Source.HasListeners() || Operations.Enabled;

    /// <summary>Records a number of a result, which stays until the next one.</summary>
    /// <param name="name">
    /// Its name as Prometheus writes it, <c>mqttcheck_measured_ratio</c>: a collector that hands the metric on to
    /// Prometheus makes the same name of it.
    /// </param>
    /// <param name="help">The meaning, in one line.</param>
    /// <param name="value">The number.</param>
    /// <param name="labels">The labels that tell it from others of the same name.</param>
    public static void Record(string name, string help, double value, IEnumerable<(string Name, string Value)> labels)
    {
        var (metric, unit) = GaugeName.Of(name);
        var gauge = s_meter.CreateGauge<double>(metric, unit, help);
        if (!gauge.Enabled)
            return;
        var tags = new TagList();
        foreach (var (label, text) in labels)
            tags.Add(label, text);
        gauge.Record(value, tags);
    }

    private static Histogram<double> Seconds(string name, string description) =>
        s_meter.CreateHistogram(
            name,
            "s",
            description,
            tags: null,
            new InstrumentAdvice<double> { HistogramBucketBoundaries = s_seconds }
        );
}
