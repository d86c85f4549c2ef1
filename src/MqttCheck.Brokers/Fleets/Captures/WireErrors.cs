using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets.Captures;

/// <summary>
/// How far the times in a log are from those on the wire, for publications at QoS 1 and their PUBACK; errors in
/// microseconds, tool minus wire.
/// </summary>
/// <param name="Latency">Errors of the latency (acknowledgement minus sending), in ascending order.</param>
/// <param name="Sent">Errors of the time of sending, in ascending order.</param>
/// <param name="Acknowledged">Errors of the time of the acknowledgement, in ascending order.</param>
/// <param name="Lateness">
/// How late requests left by the wire: the time on the wire minus the intended one, in ascending order.
/// </param>
/// <param name="WireLatency">The latencies on the wire, in ascending order.</param>
/// <param name="Unmatched">
/// Publications of the log that were not compared, because the capture does not have all of their client.
/// </param>
internal sealed record WireErrors(
    IReadOnlyList<double> Latency,
    IReadOnlyList<double> Sent,
    IReadOnlyList<double> Acknowledged,
    IReadOnlyList<double> Lateness,
    IReadOnlyList<double> WireLatency,
    int Unmatched
)
{
    /// <summary>Compares a log with a capture of the same run.</summary>
    /// <param name="log">The log.</param>
    /// <param name="wire">The publications in the capture.</param>
    /// <param name="runStartNanoseconds">
    /// The beginning of the run on the wall clock: the zero of the log's times.
    /// </param>
    public static WireErrors Compare(
        IEnumerable<Exchange> log,
        IEnumerable<CapturedPublish> wire,
        double runStartNanoseconds
    )
    {
        var captured = wire.GroupBy(publish => publish.Client)
            .ToDictionary(group => group.Key, group => group.OrderBy(publish => publish.Number).ToArray());
        List<double> latency = [],
            sent = [],
            acknowledged = [],
            lateness = [],
            wireLatency = [];
        var unmatched = 0;
        foreach (
            var client in log.Where(exchange =>
                    exchange.Message == MessageKind.Publish && !double.IsNaN(exchange.AcknowledgedMicroseconds)
                )
                .GroupBy(exchange => exchange.Client)
        )
        {
            // Log and capture number a client's publications in the same order. If the capture lost one, the numbers do
            // not match any more.
            var exchanges = client.OrderBy(exchange => exchange.SentMicroseconds).ToArray();
            if (!captured.TryGetValue(client.Key, out var publishes) || publishes.Length != exchanges.Length)
            {
                unmatched += exchanges.Length;
                continue;
            }
            foreach (var (exchange, publish) in exchanges.Zip(publishes))
            {
                var wireSent = (publish.SentNanoseconds - runStartNanoseconds) / 1e3;
                var wireAcknowledged = (publish.AcknowledgedNanoseconds - runStartNanoseconds) / 1e3;
                var onWire = (publish.AcknowledgedNanoseconds - publish.SentNanoseconds) / 1e3;
                latency.Add(exchange.AcknowledgedMicroseconds - exchange.SentMicroseconds - onWire);
                sent.Add(exchange.SentMicroseconds - wireSent);
                acknowledged.Add(exchange.AcknowledgedMicroseconds - wireAcknowledged);
                lateness.Add(wireSent - exchange.IntendedMicroseconds);
                wireLatency.Add(onWire);
            }
        }
        foreach (var values in (List<double>[])[latency, sent, acknowledged, lateness, wireLatency])
            values.Sort();
        return new(latency, sent, acknowledged, lateness, wireLatency, unmatched);
    }

    /// <summary>
    /// The smallest absolute value that a share of all values does not exceed in absolute value; NaN without any.
    /// </summary>
    /// <param name="errors">The values.</param>
    /// <param name="share">0 .. 1.</param>
    public static double AbsoluteQuantile(IReadOnlyList<double> errors, double share) =>
        Quantile([.. errors.Select(Math.Abs).Order()], share);

    /// <summary>The smallest value that a share of all values does not exceed; NaN without any.</summary>
    /// <param name="sorted">The values in ascending order.</param>
    /// <param name="share">0 .. 1.</param>
    public static double Quantile(IReadOnlyList<double> sorted, double share)
    {
        return sorted.Count == 0 ? double.NaN : sorted[Math.Max(0, (int)Math.Ceiling(share * sorted.Count) - 1)];
    }
}
