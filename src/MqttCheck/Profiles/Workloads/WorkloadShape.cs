namespace MqttCheck.Profiles.Workloads;

/// <summary>Who publishes to whom.</summary>
internal enum WorkloadShape : byte
{
    /// <summary>Each publisher has a subscriber of its own.</summary>
    Pairs,

    /// <summary>
    /// Many publishers, each with a topic of its own, share out among few subscribers: every message has one receiver.
    /// </summary>
    FanIn,

    /// <summary>Every subscriber receives every message of few publishers.</summary>
    FanOut,
}
