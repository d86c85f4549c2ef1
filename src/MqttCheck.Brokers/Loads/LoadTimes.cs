using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads;

/// <summary>The durations that a load measures, of messages that count and whose receivers were online.</summary>
internal sealed record LoadTimes
{
    /// <summary>
    /// The time to the last delivery: from the intended time in an open loop, from sending in a closed one.
    /// </summary>
    public DurationCounts Latency { get; } = new();

    /// <summary>The time from sending to the last delivery.</summary>
    public DurationCounts Service { get; } = new();

    /// <summary>The time from sending to each delivery; empty if a message has one receiver.</summary>
    public DurationCounts EachDelivery { get; } = new();

    /// <summary>The time from sending to the acknowledgement.</summary>
    public DurationCounts Acknowledgement { get; } = new();

    /// <summary>The time from the intended time to sending.</summary>
    public DurationCounts Lag { get; } = new();

    /// <summary>
    /// The generator's own part of the lag: the time in which only the generator delayed the message.
    /// </summary>
    public DurationCounts OwnLag { get; } = new();

    /// <summary>
    /// The time from sending to the last delivery, for messages whose receiver was offline on purpose meanwhile.
    /// </summary>
    public DurationCounts CatchUp { get; } = new();

    /// <summary>All of them, always in the same order.</summary>
    internal IEnumerable<DurationCounts> All => [Latency, Service, EachDelivery, Acknowledgement, Lag, OwnLag, CatchUp];
}
