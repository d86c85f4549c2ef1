namespace MqttCheck.Shards;

/// <summary>A range of the replications of a job, computed in one place at one time.</summary>
/// <param name="First">The number of its first replication, 0 or more.</param>
/// <param name="Count">How many replications it has, 1 or more.</param>
public readonly record struct Shard(int First, int Count)
{
    /// <summary>The number of the first replication after it.</summary>
    public int End => First + Count;
}
