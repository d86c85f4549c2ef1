using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Loads.Messages;

/// <summary>
/// One message of a load and its outcome. Times are nanoseconds since the first message was due; <see cref="None"/>
/// stands for an event that did not happen.
/// </summary>
internal readonly record struct LoadMessage
{
    /// <summary>The time of an event that did not happen.</summary>
    public const long None = long.MinValue;

    /// <summary>The number of its publisher, from 0.</summary>
    public required int Publisher { get; init; }

    /// <summary>Its number among the messages of its publisher, from 0.</summary>
    public required long Number { get; init; }

    /// <summary>Whether it is a warm-up message, which does not count.</summary>
    public required bool IsWarmUp { get; init; }

    /// <summary>Whether a receiver was offline, as the workload wants it, between sending and delivery.</summary>
    public required bool IsOffline { get; init; }

    /// <summary>Whether it came to a receiver after a later message of its publisher.</summary>
    public required bool IsReordered { get; init; }

    /// <summary>The quality of service of the publication.</summary>
    public required QualityOfService Qos { get; init; }

    /// <summary>The size of the payload in bytes.</summary>
    public required int PayloadBytes { get; init; }

    /// <summary>
    /// When it was meant to be sent: by the schedule of an open loop; in a closed loop, when the message before it was
    /// complete.
    /// </summary>
    public required long IntendedNanoseconds { get; init; }

    /// <summary>When it was sent: the middle of the time the bytes took to be handed over.</summary>
    public required long SentNanoseconds { get; init; }

    /// <summary>How far <see cref="SentNanoseconds"/> may be off.</summary>
    public required long SendBoundNanoseconds { get; init; }

    /// <summary>When the broker acknowledged it: PUBACK, or PUBCOMP at QoS 2.</summary>
    public required long AcknowledgedNanoseconds { get; init; }

    /// <summary>When its last delivery so far came.</summary>
    public required long DeliveredNanoseconds { get; init; }

    /// <summary>How many receivers have it.</summary>
    public required int Deliveries { get; init; }

    /// <summary>Its outcome.</summary>
    public required LoadOutcome Outcome { get; init; }
}
