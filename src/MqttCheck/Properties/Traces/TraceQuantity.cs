namespace MqttCheck.Properties.Traces;

/// <summary>A number that a property reads from a message of a trace.</summary>
public enum TraceQuantity
{
    /// <summary>From sending to the last awaited answer, in milliseconds; infinite for a failed message.</summary>
    Latency,

    /// <summary>From sending to the acknowledgement, in milliseconds; not known in simulations.</summary>
    Acknowledgement,

    /// <summary>From the first sending of the trace to the answer of this message, in milliseconds.</summary>
    Elapsed,

    /// <summary>Messages of the trace up to this one, it included.</summary>
    Count,

    /// <summary>Failed messages of the trace up to this one, it included.</summary>
    Failures,

    /// <summary>Open exchanges of all clients when it was sent.</summary>
    Active,

    /// <summary>Clients online and subscribed to its topic when it was sent.</summary>
    Subscribers,

    /// <summary>Bytes of its payload.</summary>
    Payload,
}
