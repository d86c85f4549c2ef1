using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Captures.Exchanges;

/// <summary>Writes the lines of the log. Times there count from the first packet of the capture.</summary>
/// <param name="sink">Takes the exchanges.</param>
/// <param name="resolution">How exact the times of the capture are, in nanoseconds.</param>
/// <param name="counts">Counts the exchanges.</param>
internal sealed class ExchangeRows(IExchangeSink sink, double resolution, CaptureCounts counts)
{
    /// <summary>The time of the first packet, since 1970.</summary>
    public long Zero { get; set; }

    /// <summary>Writes a publication.</summary>
    /// <param name="publication">The publication.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="end">When.</param>
    public void Add(PendingPublication publication, ExchangeOutcome outcome, long end)
    {
        Count(outcome);
        sink.Append(
            new()
            {
                Message = MessageKind.Publish,
                ActiveMessages = publication.Load.Active,
                TotalSubscriptions = publication.Load.Subscriptions,
                TopicSize = publication.Topic.Name.Length,
                MessageSize = publication.Length,
                Subscribers = publication.Subscribers,
                Receivers = publication.Receivers,
                LatencyMilliseconds = Latency(publication.Sent, end, outcome),
                Client = publication.Client.Number,
                Sequence = publication.Sequence,
                IssueIndex = publication.Index,
                IntendedMicroseconds = Microseconds(publication.Sent),
                SentMicroseconds = Microseconds(publication.Sent),
                SendBoundMicroseconds = resolution / 1e3,
                AcknowledgedMicroseconds = Microseconds(publication.Acknowledged),
                LastDeliveryMicroseconds = Microseconds(publication.LastDelivery),
                Qos = publication.Qos,
                Topic = publication.Topic.Number,
                Phase = ExchangePhase.Counted,
                Outcome = outcome,
                EndMicroseconds = Microseconds(end),
            }
        );
    }

    /// <summary>Writes another request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="client">Its client.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="end">When.</param>
    /// <param name="isAnswered">Whether the end is its answer.</param>
    public void Add(OpenRequest request, Participant client, ExchangeOutcome outcome, long end, bool isAnswered)
    {
        Count(outcome);
        sink.Append(
            new()
            {
                Message = request.Kind,
                ActiveMessages = request.Load.Active,
                TotalSubscriptions = request.Load.Subscriptions,
                TopicSize = request.TopicSize,
                LatencyMilliseconds = Latency(request.Sent, end, outcome),
                Client = client.Number,
                Sequence = request.Sequence,
                IssueIndex = request.Index,
                IntendedMicroseconds = Microseconds(request.Intended),
                SentMicroseconds = Microseconds(request.Sent),
                SendBoundMicroseconds = resolution / 1e3,
                AcknowledgedMicroseconds = isAnswered ? Microseconds(end) : double.NaN,
                LastDeliveryMicroseconds = double.NaN,
                Qos = request.Qos,
                Topic = request.Topic,
                Phase = ExchangePhase.Counted,
                Outcome = outcome,
                EndMicroseconds = Microseconds(end),
            }
        );
    }

    private static double Latency(long sent, long end, ExchangeOutcome outcome) =>
        outcome == ExchangeOutcome.Success ? (end - sent) / 1e6 : double.NaN;

    private double Microseconds(long? nanoseconds) => nanoseconds is { } time ? (time - Zero) / 1e3 : double.NaN;

    private void Count(ExchangeOutcome outcome)
    {
        counts.Exchanges++;
        if (outcome == ExchangeOutcome.Cancelled)
            counts.UnknownEnds++;
    }
}
