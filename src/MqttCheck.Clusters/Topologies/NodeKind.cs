namespace MqttCheck.Clusters.Topologies;

/// <summary>The kinds of nodes, by whom they serve.</summary>
internal enum NodeKind
{
    /// <summary>Clients of MQTT.</summary>
    Broker,

    /// <summary>The brokers: a store that they share. No client connects to it.</summary>
    Store,

    /// <summary>The brokers: a log that they share. No client connects to it.</summary>
    Log,
}
