using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Opens a connection and sends CONNECT. A connection that the client still has is taken over.</summary>
/// <param name="Clean">Start without the state of an earlier session (3.1.1: and end the session with the
/// connection).</param>
internal sealed record ConnectCommand(bool Clean) : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => ClientInput.Connect;

    /// <summary>The topic of the will; null for none. Its payload is made at run time.</summary>
    public string? WillTopic { get; init; }

    /// <summary>The quality of service of the will.</summary>
    public QualityOfService WillQos { get; init; }

    /// <summary>Whether the will is retained.</summary>
    public bool WillRetain { get; init; }

    /// <summary>MQTT 5: how long the session outlives the connection, in seconds; null: not at all.</summary>
    public uint? SessionExpirySeconds { get; init; }

    /// <summary>MQTT 5: Receive Maximum; null: 65535.</summary>
    public ushort? ReceiveMaximum { get; init; }

    /// <summary>MQTT 5: Topic Alias Maximum; null: 0.</summary>
    public ushort? TopicAliasMaximum { get; init; }

    /// <summary>MQTT 5: how long the will is held back, in seconds; null: not at all.</summary>
    public uint? WillDelaySeconds { get; init; }

    /// <summary>MQTT 5: whether the will carries every property that is meant for its receiver.</summary>
    public bool WillWithProperties { get; init; }

    /// <summary>MQTT 5: the largest packet that the client takes, in bytes; null: any.</summary>
    public uint? MaximumPacketBytes { get; init; }

    /// <summary>
    /// The keep alive interval in seconds; null: off. The client keeps to it only as far as the scenario's own commands
    /// do.
    /// </summary>
    public ushort? KeepAliveSeconds { get; init; }

    /// <summary>Logs in with a wrong password: the broker may refuse it, in the way laid down for that.</summary>
    public bool WrongPassword { get; init; }

    /// <summary>
    /// Leaves the client identifier empty. Only the first connection of a client can: what it names afterwards would be
    /// another session.
    /// </summary>
    public bool WithoutIdentifier { get; init; }

    /// <summary>
    /// The protocol version of the client; null for that of the scenario. That of its first connection counts for all.
    /// </summary>
    public ProtocolVersion? Version { get; init; }

    /// <summary>The look of the client identifier. That of the first connection counts for all.</summary>
    public IdentifierKind Identifier { get; init; }

    /// <summary>MQTT 5: Request Problem Information; null: not said, which means true.</summary>
    public bool? ProblemInformation { get; init; }

    /// <summary>MQTT 5: Request Response Information; null: not said, which means false.</summary>
    public bool? ResponseInformation { get; init; }

    /// <summary>MQTT 5: whether CONNECT has user properties, which are for the broker alone.</summary>
    public bool WithUserProperties { get; init; }

    /// <summary>MQTT 5: the message expiry interval of the will in seconds; null for none.</summary>
    public uint? WillExpirySeconds { get; init; }

    /// <summary>Whether the session outlives the connection.</summary>
    /// <param name="version">The protocol version.</param>
    public bool Persists(ProtocolVersion version) => version == ProtocolVersion.V5 ? SessionExpirySeconds > 0 : !Clean;
}
