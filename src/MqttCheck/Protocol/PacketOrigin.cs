namespace MqttCheck.Protocol;

/// <summary>Who sent a packet. Some packets, properties and reason codes are legal from one side only.</summary>
public enum PacketOrigin : byte
{
    /// <summary>Not known: what either side may send is legal.</summary>
    Unknown = 0,

    /// <summary>The client.</summary>
    Client = 1,

    /// <summary>The server.</summary>
    Server = 2,
}
