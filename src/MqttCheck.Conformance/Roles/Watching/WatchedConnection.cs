using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>A connection of a client, as far as its duties go.</summary>
internal sealed class WatchedConnection(int number, WatchedClient client, ConnectPacket connect)
{
    public int Number => number;

    public WatchedClient Client => client;

    public ConnectPacket Connect => connect;

    public bool IsV5 => connect.ProtocolVersion == ProtocolVersion.V5;

    public ConnackPacket? Connack { get; set; }

    public long AcceptedNanoseconds { get; set; }

    /// <summary>Whether the client sent packets before CONNACK, whose limits it could not know.</summary>
    public bool IsEager { get; set; }

    /// <summary>Whether the client has a reason to end it.</summary>
    public bool MayEnd { get; set; }

    /// <summary>Whether the client got a packet that breaks a rule.</summary>
    public bool IsMisled { get; set; }

    /// <summary>Whether it is about to end, so that nothing else is owed.</summary>
    public bool IsEnding => MayEnd || Left is not null;

    /// <summary>The client's DISCONNECT.</summary>
    public DisconnectPacket? Left { get; set; }

    public long LastSentNanoseconds { get; set; }

    /// <summary>Messages of QoS 1 and 2 on this connection that are open by the count of Receive Maximum.</summary>
    public HashSet<ushort> Window { get; } = [];

    public HashSet<ushort> Aliases { get; } = [];

    /// <summary>Identifiers of SUBSCRIBE and UNSUBSCRIBE without answer.</summary>
    public HashSet<ushort> Requests { get; } = [];

    /// <summary>Identifiers that await each answer of the client, in the order in which they were sent to it.</summary>
    public List<ushort> AwaitsPuback { get; } = [];

    public List<ushort> AwaitsPubrec { get; } = [];

    public List<ushort> AwaitsPubcomp { get; } = [];

    public List<ushort> AwaitsPubrel { get; } = [];

    /// <summary>The number of the exchange that was sent again last.</summary>
    public long LastResent { get; set; }

    /// <summary>The packet that the broker sent last, in words.</summary>
    public string LastReceived { get; set; } = "nothing";

    /// <summary>Whether its silence was noticed.</summary>
    public bool IsSilent { get; set; }
}
