namespace MqttCheck.Clusters.Topologies;

/// <summary>Which rules a spanning tree follows after a failure.</summary>
internal enum TreeRules
{
    /// <summary>Epochs, ages and hysteresis: every failure ends in one tree.</summary>
    Safe,

    /// <summary>The published text: no epoch, no age, and changes of topology go to direct neighbours only.</summary>
    Paper,

    /// <summary>The published text without any message about changes of topology.</summary>
    Silent,
}
