using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>One packet on a link, or the reset of a connection.</summary>
internal struct Frame
{
    /// <summary>When it is at the other end.</summary>
    public long ArrivesAt;

    /// <summary>Which connection it belongs to; those of an earlier one are discarded.</summary>
    public int Generation;

    /// <summary>Whether the system says that the connection is gone; the packet then only tells whose.</summary>
    public bool IsReset;

    public HopPacket Packet;
}
