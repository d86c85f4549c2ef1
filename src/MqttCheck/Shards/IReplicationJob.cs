namespace MqttCheck.Shards;

/// <summary>A job whose outcomes travel as bytes.</summary>
internal interface IReplicationJob
{
    /// <summary>Makes what computes shards, with memory of its own; one thread at a time may use it.</summary>
    /// <returns>From a shard to the bytes of its outcomes.</returns>
    /// <exception cref="InputException">A value of the job is not allowed.</exception>
    Func<Shard, CancellationToken, byte[]> StartShards();
}
