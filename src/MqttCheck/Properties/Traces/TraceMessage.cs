using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Properties.Traces;

/// <summary>One answered message of a client's trace, simulated or live: what a property speaks about.</summary>
public readonly record struct TraceMessage
{
    /// <summary>The kind of the message.</summary>
    public required MessageKind Kind { get; init; }

    /// <summary>When it was sent, in milliseconds on any clock.</summary>
    public required double SentMilliseconds { get; init; }

    /// <summary>When it was answered, or failed, on the same clock; not before the previous message's end.</summary>
    public required double EndMilliseconds { get; init; }

    /// <summary>From sending to the last awaited answer; positive infinity for a failed message.</summary>
    public required double LatencyMilliseconds { get; init; }

    /// <summary>
    /// From sending to the acknowledgement; positive infinity without one, NaN where the source does not know it (a
    /// simulation).
    /// </summary>
    public double AcknowledgementMilliseconds { get; init; }

    /// <summary>Open exchanges of all clients when it was sent, this one included.</summary>
    public int Active { get; init; }

    /// <summary>Clients online and subscribed to its topic when it was sent.</summary>
    public int Subscribers { get; init; }

    /// <summary>Bytes of its payload.</summary>
    public int PayloadBytes { get; init; }

    /// <summary>Whether everything awaited arrived.</summary>
    public bool Succeeded => double.IsFinite(LatencyMilliseconds);

    /// <summary>The message of a logged exchange.</summary>
    /// <param name="exchange">An exchange that was not cancelled.</param>
    public static TraceMessage Of(in Exchange exchange)
    {
        var succeeded = exchange.Outcome == ExchangeOutcome.Success;
        var acknowledgement = (exchange.AcknowledgedMicroseconds - exchange.SentMicroseconds) / 1000;
        return new()
        {
            Kind = exchange.Message,
            SentMilliseconds = exchange.SentMicroseconds / 1000,
            EndMilliseconds = exchange.EndMicroseconds / 1000,
            LatencyMilliseconds = succeeded ? exchange.LatencyMilliseconds : double.PositiveInfinity,
            AcknowledgementMilliseconds = double.IsNaN(acknowledgement) ? double.PositiveInfinity : acknowledgement,
            Active = exchange.ActiveMessages,
            Subscribers = exchange.Subscribers,
            PayloadBytes = exchange.MessageSize,
        };
    }
}
