using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Logs;

/// <summary>
/// One request and what it awaited: the one record that a run produces, that learning reads, and that reports draw.
/// It holds raw times, so that every feature (open exchanges, recent activity) can be recomputed from a log by
/// replaying its start and end events in order.
/// </summary>
/// <remarks>
/// Times are microseconds since the start of the run, with decimals; NaN where the event did not happen.
/// </remarks>
public readonly record struct Exchange
{
    /// <summary>The kind of the request.</summary>
    public MessageKind Message { get; init; }

    /// <summary>Open exchanges of the whole fleet at the moment of sending, this one included.</summary>
    public int ActiveMessages { get; init; }

    /// <summary>Subscriptions of the whole fleet (pairs of client and topic) at the moment of sending.</summary>
    public int TotalSubscriptions { get; init; }

    /// <summary>Bytes of the topic name, 0 where the kind has none.</summary>
    public int TopicSize { get; init; }

    /// <summary>Bytes of the payload, 0 where the kind has none.</summary>
    public int MessageSize { get; init; }

    /// <summary>Clients online and subscribed to the topic at the moment of sending: the deliveries awaited.</summary>
    public int Subscribers { get; init; }

    /// <summary>Clients that received the message while it was awaited.</summary>
    public int Receivers { get; init; }

    /// <summary>
    /// Time from sending to the last awaited answer, in milliseconds; NaN unless the outcome is success.
    /// </summary>
    public double LatencyMilliseconds { get; init; }

    /// <summary>
    /// Number of the run (in a training log: of the training case) that the exchange belongs to, from 0.
    /// </summary>
    public int Run { get; init; }

    /// <summary>Number of the client in its run, from 0.</summary>
    public int Client { get; init; }

    /// <summary>Number of the client's sequence, from 0 (the warm-up sequence).</summary>
    public int Sequence { get; init; }

    /// <summary>Order of sending in the run, from 0, over all clients.</summary>
    public long IssueIndex { get; init; }

    /// <summary>When the exchange was meant to be sent.</summary>
    public double IntendedMicroseconds { get; init; }

    /// <summary>When it was sent: the middle of the time the bytes took to be handed over.</summary>
    public double SentMicroseconds { get; init; }

    /// <summary>How far <see cref="SentMicroseconds"/> may be off, in either direction.</summary>
    public double SendBoundMicroseconds { get; init; }

    /// <summary>When the acknowledgement (CONNACK, SUBACK, PUBACK, the close after DISCONNECT) arrived.</summary>
    public double AcknowledgedMicroseconds { get; init; }

    /// <summary>When the last awaited delivery arrived.</summary>
    public double LastDeliveryMicroseconds { get; init; }

    /// <summary>Quality of service of a publication or subscription.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>Index of the topic, or -1.</summary>
    public int Topic { get; init; }

    /// <summary>Why the exchange was made.</summary>
    public ExchangePhase Phase { get; init; }

    /// <summary>How it ended.</summary>
    public ExchangeOutcome Outcome { get; init; }

    /// <summary>
    /// When the exchange ended: the later of acknowledgement and last delivery, or the moment it failed.
    /// </summary>
    public double EndMicroseconds { get; init; }
}
