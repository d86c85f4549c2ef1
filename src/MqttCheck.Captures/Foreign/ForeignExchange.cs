using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Foreign;

/// <summary>An exchange as the log of another program tells it.</summary>
internal readonly record struct ForeignExchange
{
    /// <summary>The kind of the request.</summary>
    public MessageKind Kind { get; init; }

    /// <summary>Its client, by name.</summary>
    public string Client { get; init; }

    /// <summary>When it was sent, in nanoseconds of the log's own clock.</summary>
    public long Sent { get; init; }

    /// <summary>When it ended; null where the log does not say.</summary>
    public long? End { get; init; }

    /// <summary>Whether it failed.</summary>
    public bool HasFailed { get; init; }

    /// <summary>Whether its end is the last delivery, not the acknowledgement.</summary>
    public bool EndsWithDelivery { get; init; }

    /// <summary>The topic; empty where it is not known.</summary>
    public string Topic { get; init; }

    /// <summary>The bytes of the payload; 0 where they are not known.</summary>
    public int Size { get; init; }

    /// <summary>The quality of service.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>How many clients got the message.</summary>
    public int Receivers { get; init; }

    /// <summary>How it ended.</summary>
    public ExchangeOutcome Outcome =>
        HasFailed ? ExchangeOutcome.Refused
        : End is null ? ExchangeOutcome.Cancelled
        : ExchangeOutcome.Success;
}
