using MqttCheck.Clusters.Hops;

namespace MqttCheck.Clusters.Discovery;

/// <summary>What a node tells all others by multicast: that its process runs.</summary>
/// <param name="Incarnation">The random number that tells this process from those before it.</param>
internal readonly record struct Announcement(ulong Incarnation)
{
    /// <summary>The control message's number.</summary>
    public const byte ControlKind = 2;

    public PeerMessage ToMessage() =>
        new()
        {
            Kind = PeerMessageKind.Control,
            ControlKind = ControlKind,
            Fields = new ControlFields { [0] = unchecked((long)Incarnation) },
        };

    public static Announcement From(in PeerMessage message) => new(unchecked((ulong)message.Fields[0]));
}
