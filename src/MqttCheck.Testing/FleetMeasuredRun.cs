using System.Diagnostics;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;

namespace MqttCheck.Testing;

/// <summary>One run of a fleet that MqttCheck drives.</summary>
/// <param name="result">The results of the run besides its exchanges.</param>
/// <param name="exchanges">All its exchanges, in the order in which they ended.</param>
public sealed class FleetMeasuredRun(FleetRunResult result, IReadOnlyList<Exchange> exchanges) : MeasuredRun
{
    /// <summary>The results of the run besides its exchanges.</summary>
    public FleetRunResult Result { get; } = result;

    /// <summary>All its exchanges, in the order in which they ended.</summary>
    public IReadOnlyList<Exchange> Exchanges { get; } = exchanges;

    /// <inheritdoc/>
    public override IReadOnlyList<Outcome> Outcomes => Result.Outcomes;

    /// <inheritdoc/>
    public override RunHealth Health => Result.Health;

    /// <inheritdoc/>
    public override WarmUp WarmUp => Result.WarmUp;

    /// <inheritdoc/>
    public override IReadOnlyList<double> Samples(MeasuredLatency latency, bool perMessage, string? step = null) =>
        perMessage
            ?
            [
                .. Exchanges
                    .Where(exchange =>
                        exchange.Phase == ExchangePhase.Counted
                        && (latency == MeasuredLatency.Any || exchange.Message == MessageKind.Publish)
                    )
                    .OrderBy(exchange => exchange.IssueIndex)
                    .TakeWhile(exchange => exchange.Outcome != ExchangeOutcome.Cancelled)
                    .Select(exchange => Of(exchange, latency)),
            ]
            :
            [
                .. Outcomes
                    .TakeWhile(outcome => outcome.Status != OutcomeStatus.Unfinished)
                    .Select(outcome =>
                        outcome.Status == OutcomeStatus.Failed
                            ? double.PositiveInfinity
                            : Of(outcome.Latencies, latency)
                    ),
            ];

    private static double Of(in Exchange exchange, MeasuredLatency latency) =>
        exchange.Outcome != ExchangeOutcome.Success ? double.PositiveInfinity
        : latency == MeasuredLatency.Acknowledgement
            ? (exchange.AcknowledgedMicroseconds - exchange.SentMicroseconds) / 1000
        : exchange.LatencyMilliseconds;

    private static double Of(SequenceLatencies latencies, MeasuredLatency latency) =>
        latency switch
        {
            MeasuredLatency.Acknowledgement => latencies.WorstAcknowledgementMilliseconds,
            MeasuredLatency.Publish => latencies.WorstPublishMilliseconds,
            MeasuredLatency.Any => latencies.WorstMilliseconds,
            _ => throw new UnreachableException(),
        };
}
