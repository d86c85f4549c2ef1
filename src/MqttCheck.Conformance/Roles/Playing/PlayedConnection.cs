using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Roles.Playing;

/// <summary>One connection, as the broker that is played knows it.</summary>
internal sealed class PlayedConnection(int number)
{
    private const int MostPacketBytes = 16 << 20;

    public int Number => number;

    public PacketStream Stream { get; } = new(MostPacketBytes);

    public PlayedClient? Client { get; set; }

    public ConnectPacket? Connect { get; set; }

    public long ConnectNanoseconds { get; set; }

    public ProtocolVersion Version => Connect?.ProtocolVersion ?? ProtocolVersion.V311;

    public bool IsOpen { get; set; } = true;

    public bool IsAccepted { get; set; }

    /// <summary>Packets that came before CONNACK was sent.</summary>
    public List<Packet> Early { get; } = [];

    /// <summary>Acknowledgements that the script withholds, oldest first.</summary>
    public List<Packet> Held { get; } = [];

    /// <summary>The topic that alias 1 stands for; empty before it was sent.</summary>
    public string AliasedTopic { get; set; } = "";

    /// <summary>Whether the client got a packet for which it is to end the connection.</summary>
    public bool IsToEnd { get; set; }

    /// <summary>The client's Receive Maximum.</summary>
    public int Window => Connect?.Properties.ReceiveMaximum ?? ushort.MaxValue;
}
