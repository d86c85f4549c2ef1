namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// How many nodes a fault hits that does not name them. The names in small letters are words of files.
/// </summary>
internal enum FaultReach
{
    /// <summary>One that is drawn in each run.</summary>
    Any,

    /// <summary>More than half of the brokers, which are drawn in each run.</summary>
    Majority,

    /// <summary>Every node.</summary>
    All,
}
