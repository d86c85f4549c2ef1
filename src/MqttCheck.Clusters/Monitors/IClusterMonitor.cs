using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// Judges the events of one run, one by one in order of time, and knows neither where they come from nor a clock.
/// </summary>
internal interface IClusterMonitor
{
    /// <summary>Whether a violation is one of the standard or of a promise; otherwise it is reported only.</summary>
    bool Decides { get; }

    /// <summary>The violations so far; the first ones where there are many.</summary>
    IReadOnlyList<ClusterViolation> Violations { get; }

    /// <summary>Takes the next event.</summary>
    /// <param name="clusterEvent">An event that is not earlier than the one before.</param>
    void Add(in ClusterEvent clusterEvent);

    /// <summary>Says that nothing more comes. Only then is known what never arrived.</summary>
    /// <param name="nanoseconds">The time of the end.</param>
    void End(long nanoseconds);
}
