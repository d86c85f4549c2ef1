namespace MqttCheck.Clusters.Pipeline;

/// <summary>What happens to a pack of the log in which something failed.</summary>
internal enum CommitPolicy
{
    /// <summary>It is committed all the same.</summary>
    SkipAll,

    /// <summary>All of it is done again after a pause, a few times; then it is committed.</summary>
    RetryAll,
}
