using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads;

/// <summary>The durations that a load measures, of messages that count and whose receivers were online.</summary>
public sealed record LoadTimes
{
    /// <summary>To the last delivery: from the intended time in an open loop, from sending in a closed one.</summary>
    public DurationCounts Latency { get; } = new();

    /// <summary>From sending to the last delivery.</summary>
    public DurationCounts Service { get; } = new();

    /// <summary>From sending to each delivery; empty where a message has one receiver.</summary>
    public DurationCounts EachDelivery { get; } = new();

    /// <summary>From sending to the acknowledgement.</summary>
    public DurationCounts Acknowledgement { get; } = new();

    /// <summary>From the intended time to sending.</summary>
    public DurationCounts Lag { get; } = new();

    /// <summary>
    /// The part of the lag that is the generator's own: from when nothing but it kept the message from being sent.
    /// </summary>
    public DurationCounts OwnLag { get; } = new();

    /// <summary>
    /// From sending to the last delivery of messages whose receiver was offline on purpose meanwhile.
    /// </summary>
    public DurationCounts CatchUp { get; } = new();

    /// <summary>All of them, always in the same order.</summary>
    internal IEnumerable<DurationCounts> All => [Latency, Service, EachDelivery, Acknowledgement, Lag, OwnLag, CatchUp];
}
