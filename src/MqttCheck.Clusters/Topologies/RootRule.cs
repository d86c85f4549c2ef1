namespace MqttCheck.Clusters.Topologies;

/// <summary>Which member is the root of a topic's overlay. The lowest number decides between equal ones.</summary>
internal enum RootRule
{
    /// <summary>The member with the highest capability.</summary>
    Capacity,

    /// <summary>
    /// The member with the lowest weighted sum of the trees that it roots and of its own clients.
    /// </summary>
    Balance,
}
