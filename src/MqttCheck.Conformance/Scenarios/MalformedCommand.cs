using MqttCheck.Clients;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Defects;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Sends a packet that breaks one rule, and PINGREQ behind it; the broker must close the connection.</summary>
/// <param name="Defect">The name of a packet defect, <c>second-connect</c>, <c>no-connect</c> or
/// <c>unknown-method</c>.</param>
internal sealed record MalformedCommand(string Defect) : Command
{
    // The packets in which a defect is sent, the most harmless first.
    private static readonly PacketType[] s_fromClients =
    [
        PacketType.Publish,
        PacketType.Subscribe,
        PacketType.Unsubscribe,
        PacketType.Pingreq,
        PacketType.Puback,
        PacketType.Pubrel,
        PacketType.Disconnect,
        PacketType.Auth,
        PacketType.Connect,
    ];

    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Misbehave;

    /// <summary>A second CONNECT on the same connection: well formed, but forbidden.</summary>
    public const string SecondConnect = "second-connect";

    /// <summary>PINGREQ in place of CONNECT, on a connection of its own.</summary>
    public const string NoConnect = "no-connect";

    /// <summary>MQTT 5: a CONNECT with an authentication method that no server knows.</summary>
    public const string UnknownMethod = "unknown-method";

    /// <summary>Whether the packet itself breaks no rule of the wire format.</summary>
    public static bool IsWellFormed(string defect) => defect is SecondConnect or NoConnect or UnknownMethod;

    /// <summary>
    /// Whether a defect is one of CONNECT or of what comes in its place: it needs a connection of its own.
    /// </summary>
    /// <param name="defect">Its name.</param>
    /// <param name="version">The protocol version.</param>
    public static bool IsOfConnect(string defect, ProtocolVersion version) =>
        defect is NoConnect or UnknownMethod
        || (defect != SecondConnect && PacketOf(PacketDefects.Find(defect), version) == PacketType.Connect);

    /// <summary>
    /// The type of a client's packet that a defect is sent in; null if no packet of a client can have it.
    /// </summary>
    /// <param name="defect">The defect.</param>
    /// <param name="version">The protocol version.</param>
    public static PacketType? PacketOf(PacketDefect defect, ProtocolVersion version)
    {
        foreach (var type in s_fromClients)
            if (defect.AppliesTo(type, version))
                return type;
        return null;
    }
}
