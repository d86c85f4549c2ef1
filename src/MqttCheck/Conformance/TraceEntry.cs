using MqttCheck.Protocol;

namespace MqttCheck.Conformance;

/// <summary>One observation at a client. The order of the entries of a trace is the order in which one observer saw them.</summary>
/// <param name="Nanoseconds">When, on the observer's clock.</param>
/// <param name="Client">Which client, from 0.</param>
/// <param name="Connection">Which connection, numbered through the trace.</param>
/// <param name="Kind">What was observed.</param>
public sealed record TraceEntry(long Nanoseconds, int Client, int Connection, TraceKind Kind)
{
    /// <summary>The packet, where there is one and it could be understood.</summary>
    public Packet? Packet { get; init; }

    /// <summary>The rules of the wire format that a received packet breaks.</summary>
    public ValueList<Violation> Violations { get; init; }

    /// <summary>Words about it: the defect of a malformed packet, why a connection ended.</summary>
    public string Detail { get; init; } = "";
}
