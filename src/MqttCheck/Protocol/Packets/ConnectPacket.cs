namespace MqttCheck.Protocol.Packets;

/// <summary>CONNECT: the client's first packet (section 3.1).</summary>
internal sealed record ConnectPacket() : Packet(PacketType.Connect)
{
    /// <summary>The protocol level; it also decides the layout of this packet.</summary>
    public ProtocolVersion ProtocolVersion { get; init; } = ProtocolVersion.V5;

    /// <summary>The protocol name: "MQTT", or "MQIsdp" for 3.1.</summary>
    public string ProtocolName { get; init; } = "MQTT";

    /// <summary>
    /// Start without the state of an earlier session. 3.1.1 calls it CleanSession and also ends the session with the
    /// connection.
    /// </summary>
    public bool CleanStart { get; init; } = true;

    /// <summary>Keep alive interval in seconds; 0 turns it off.</summary>
    public ushort KeepAliveSeconds { get; init; }

    /// <summary>The client identifier; empty asks the server to choose one.</summary>
    public string ClientId { get; init; } = "";

    /// <summary>The message to publish if the connection ends without a normal DISCONNECT.</summary>
    public WillMessage? Will { get; init; }

    /// <summary>The user name; null if absent.</summary>
    public string? UserName { get; init; }

    /// <summary>The password; null if absent. 3.1.1 allows it only beside a user name.</summary>
    public Bytes? Password { get; init; }

    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
