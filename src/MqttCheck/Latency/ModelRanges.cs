namespace MqttCheck.Latency;

/// <summary>The largest loads that a model has seen in training; beyond them it extrapolates.</summary>
/// <param name="Clients">Clients of a training case.</param>
/// <param name="ActiveMessages">Open exchanges at once.</param>
/// <param name="Subscribers">Online subscribers of one topic.</param>
/// <param name="MessagesPerSecond">
/// Exchanges per second, averaged over a training case, or over a block of the time of a single one.
/// </param>
public sealed record ModelRanges(int Clients, int ActiveMessages, int Subscribers, double MessagesPerSecond)
{
    /// <summary>The smallest of each; null in a model file that does not say.</summary>
    public ModelRanges? Smallest { get; init; }

    /// <summary>
    /// The most exchanges per second that the clients of a training case meant to send; a broker that takes its time
    /// slows them. Null where no case tells it.
    /// </summary>
    public double? OfferedPerSecond { get; init; }

    /// <summary>The largest load that was seen, in exchanges per second.</summary>
    public double LargestLoad => Math.Max(MessagesPerSecond, OfferedPerSecond ?? 0);
}
