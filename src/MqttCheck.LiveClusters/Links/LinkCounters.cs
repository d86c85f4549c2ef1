using MqttCheck.Protocol;

namespace MqttCheck.LiveClusters.Links;

/// <summary>Counts the traffic that has entered a directed link since it was made.</summary>
internal sealed class LinkCounters
{
    private readonly long[] _packets = new long[16];

    /// <summary>Connections that the node at the beginning of the link has opened through it.</summary>
    public long Connections { get; internal set; }

    /// <summary>Bytes of any protocol.</summary>
    public long Bytes { get; internal set; }

    /// <summary>PUBLISH packets on ordinary topics.</summary>
    public long DataPublications { get; internal set; }

    /// <summary>PUBLISH packets on topics that begin with <c>$</c>, which brokers use among themselves.</summary>
    public long SystemPublications { get; internal set; }

    /// <summary>MQTT packets of any type.</summary>
    public long Packets => _packets.Sum();

    /// <summary>MQTT packets of one type.</summary>
    /// <param name="type">The type.</param>
    public long PacketsOf(PacketType type) => _packets[(int)type & 15];

    /// <summary>Counts a packet.</summary>
    /// <param name="type">Its type, 0 .. 15.</param>
    internal void Count(int type) => _packets[type]++;

    /// <summary>A copy of the present counts.</summary>
    internal LinkCounters Snapshot()
    {
        var copy = new LinkCounters
        {
            Connections = Connections,
            Bytes = Bytes,
            DataPublications = DataPublications,
            SystemPublications = SystemPublications,
        };
        _packets.CopyTo(copy._packets.AsSpan());
        return copy;
    }
}
