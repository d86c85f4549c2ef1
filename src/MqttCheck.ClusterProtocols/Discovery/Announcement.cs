using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.ClusterProtocols.Discovery;

/// <summary>
/// The announcement by which a node tells all others that its process runs. Simulated nodes and links carry it as a
/// control message, a multicast group as a datagram.
/// </summary>
/// <param name="Incarnation">The random number that tells this process from those before it.</param>
internal readonly record struct Announcement(ulong Incarnation)
{
    /// <summary>The control message's number.</summary>
    public const byte ControlKind = 2;

    /// <summary>How long a datagram is: the mark, the cluster, the node, the incarnation.</summary>
    public const int DatagramBytes = 8 + 8 + 4 + 8;

    private static ReadOnlySpan<byte> Mark => "mqttchk1"u8;

    public PeerMessage ToMessage() =>
        PeerMessage.Control(ControlKind, new ControlFields { [0] = unchecked((long)Incarnation) });

    public static Announcement From(in PeerMessage message) => new(unchecked((ulong)message.Fields[0]));

    /// <summary>Tells a cluster from others that use the same group: a digest of its name and its nodes.</summary>
    public static ulong ClusterOf(Topology topology)
    {
        var text = string.Join('\n', topology.Nodes.Select(node => node.Name).Prepend(topology.Name));
        return BinaryPrimitives.ReadUInt64BigEndian(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
    }

    /// <summary>The datagram of a node.</summary>
    /// <param name="cluster">See <see cref="ClusterOf"/>.</param>
    /// <param name="node">The node that announces itself.</param>
    public byte[] ToDatagram(ulong cluster, int node)
    {
        var datagram = new byte[DatagramBytes];
        Mark.CopyTo(datagram);
        BinaryPrimitives.WriteUInt64BigEndian(datagram.AsSpan(8), cluster);
        BinaryPrimitives.WriteInt32BigEndian(datagram.AsSpan(16), node);
        BinaryPrimitives.WriteUInt64BigEndian(datagram.AsSpan(20), Incarnation);
        return datagram;
    }

    /// <summary>Reads what <see cref="ToDatagram"/> writes.</summary>
    /// <param name="datagram">The datagram that has arrived.</param>
    /// <param name="cluster">The cluster that is listened to.</param>
    /// <param name="node">The node that announces itself; it may be one that the cluster does not have.</param>
    /// <param name="announcement">The announcement.</param>
    /// <returns>False for what others send to the group.</returns>
    public static bool TryRead(ReadOnlySpan<byte> datagram, ulong cluster, out int node, out Announcement announcement)
    {
        (node, announcement) = (-1, default);
        if (
            datagram.Length != DatagramBytes
            || !datagram.StartsWith(Mark)
            || BinaryPrimitives.ReadUInt64BigEndian(datagram[8..]) != cluster
        )
            return false;
        node = BinaryPrimitives.ReadInt32BigEndian(datagram[16..]);
        announcement = new(BinaryPrimitives.ReadUInt64BigEndian(datagram[20..]));
        return true;
    }
}
