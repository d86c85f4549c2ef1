namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>Which way a bridge forwards messages, seen from the broker that opens it.</summary>
[Flags]
internal enum BridgeDirection
{
    /// <summary>To the remote broker.</summary>
    Out = 1,

    /// <summary>From the remote broker.</summary>
    In = 2,

    /// <summary>Both ways.</summary>
    Both = Out | In,
}
