using MqttCheck.Brokers.Fleets;
using MqttCheck.Checking;
using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.NUnit;

/// <summary>One run of a measurement.</summary>
/// <param name="Result">What the run yielded beside its exchanges.</param>
/// <param name="Exchanges">All its exchanges, in the order in which they ended.</param>
public sealed record MeasuredRun(FleetRunResult Result, IReadOnlyList<Exchange> Exchanges)
{
    /// <summary>The latencies of the samples that count, in the order in which they began, up to the first that the end of the run cut: counting the later ones too would favour fast ones.</summary>
    /// <param name="latency">Which latency.</param>
    /// <param name="perMessage">Whether a sample is a message; otherwise it is a sequence, whose latency is its largest.</param>
    /// <returns>Milliseconds, positive infinity for a sample in which an exchange failed.</returns>
    public IReadOnlyList<double> Samples(MeasuredLatency latency, bool perMessage) => perMessage
        ? [.. Exchanges
            .Where(exchange => exchange.Phase == ExchangePhase.Counted && (latency == MeasuredLatency.Any || exchange.Message == MessageKind.Publish))
            .OrderBy(exchange => exchange.IssueIndex)
            .TakeWhile(exchange => exchange.Outcome != ExchangeOutcome.Cancelled)
            .Select(exchange => Of(exchange, latency))]
        : [.. Result.Outcomes
            .TakeWhile(outcome => outcome.Status != OutcomeStatus.Unfinished)
            .Select(outcome => outcome.Status == OutcomeStatus.Failed ? double.PositiveInfinity : Of(outcome.Latencies, latency))];

    private static double Of(in Exchange exchange, MeasuredLatency latency) =>
        exchange.Outcome != ExchangeOutcome.Success ? double.PositiveInfinity
        : latency == MeasuredLatency.Acknowledgement ? (exchange.AcknowledgedMicroseconds - exchange.SentMicroseconds) / 1000
        : exchange.LatencyMilliseconds;

    private static double Of(SequenceLatencies latencies, MeasuredLatency latency) => latency switch
    {
        MeasuredLatency.Acknowledgement => latencies.WorstAcknowledgementMilliseconds,
        MeasuredLatency.Publish => latencies.WorstPublishMilliseconds,
        _ => latencies.WorstMilliseconds,
    };
}
