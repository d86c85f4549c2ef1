using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Model;

/// <summary>
/// One observation at a client. The order of the entries of a trace is the order in which one observer saw them.
/// </summary>
/// <param name="Nanoseconds">When, on the observer's clock.</param>
/// <param name="Client">Which client, from 0.</param>
/// <param name="Connection">Which connection, numbered through the trace.</param>
/// <param name="Kind">The kind of observation.</param>
public sealed record TraceEntry(long Nanoseconds, int Client, int Connection, TraceKind Kind)
{
    /// <summary>The <see cref="Detail"/> of a CONNECT with a wrong password.</summary>
    public const string WrongPassword = "wrong password";

    /// <summary>The packet, where there is one and it could be understood.</summary>
    public Packet? Packet { get; init; }

    /// <summary>The rules of the wire format that a received packet breaks.</summary>
    public ValueList<Violation> Violations { get; init; }

    /// <summary>The bytes of a packet that breaks a rule on purpose.</summary>
    public Bytes Raw { get; init; } = Bytes.Empty;

    /// <summary>
    /// Words about it: the defect of a malformed packet, why a connection ended; of an opened connection,
    /// <c>websocket</c> where that carries it.
    /// </summary>
    public string Detail { get; init; } = "";
}
