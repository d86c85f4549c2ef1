using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>The process of a node, as the faults of a plan see it.</summary>
/// <param name="index">The node.</param>
internal abstract class RunNode(int index)
{
    /// <summary>The node.</summary>
    public int Index { get; } = index;

    /// <summary>Whether a process runs.</summary>
    public bool IsAlive { get; set; }

    /// <summary>Whether it stands still.</summary>
    public bool IsFrozen { get; set; }

    /// <summary>Whether it has taken leave of its clients, and its process ends soon.</summary>
    public bool IsLeaving { get; set; }

    /// <summary>Whether its process is to start again as soon as it has ended.</summary>
    public bool StartsAgain { get; set; }

    /// <summary>Whether it takes clients.</summary>
    public bool Serves => IsAlive && !IsLeaving;

    /// <summary>The stream of service times and of incarnations.</summary>
    public RandomStream Random;
}
