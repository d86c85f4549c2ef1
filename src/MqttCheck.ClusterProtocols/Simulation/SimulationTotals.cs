using System.Runtime.CompilerServices;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The traffic that passed the links of a simulated cluster.</summary>
internal struct SimulationTotals
{
    [InlineArray(9)]
    internal struct Counts
    {
        private long _first;
    }

    private Counts _packets;

    /// <summary>Packets of every kind that arrived.</summary>
    public long Packets { get; internal set; }

    /// <summary>Their bytes.</summary>
    public long Bytes { get; internal set; }

    /// <summary>The bytes of control messages and pings among them.</summary>
    public long SignallingBytes { get; internal set; }

    /// <summary>PUBLISH packets of application messages that entered a link.</summary>
    public long DataPublishes { get; internal set; }

    /// <summary>Messages that clients published.</summary>
    public long Published { get; internal set; }

    /// <summary>Messages that subscribers received.</summary>
    public long Delivered { get; internal set; }

    /// <summary>Messages that a node dropped, for a reason that its note gives.</summary>
    public long Dropped { get; internal set; }

    /// <summary>Whether the run was ended because messages circulated.</summary>
    public bool IsCutShort { get; internal set; }

    internal readonly long Of(Hops.HopPacketKind kind) => _packets[(int)kind];

    internal void Count(Hops.HopPacketKind kind) => _packets[(int)kind]++;
}
