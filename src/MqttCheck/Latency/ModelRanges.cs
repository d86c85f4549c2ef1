namespace MqttCheck.Latency;

/// <summary>The largest loads that a model has seen in training; beyond them it extrapolates.</summary>
/// <param name="Clients">Clients of a training case.</param>
/// <param name="ActiveMessages">Open exchanges at once.</param>
/// <param name="Subscribers">Online subscribers of one topic.</param>
/// <param name="MessagesPerSecond">Exchanges per second, averaged over a training case.</param>
public sealed record ModelRanges(int Clients, int ActiveMessages, int Subscribers, double MessagesPerSecond)
{
    /// <summary>The smallest of each; null in a model file that does not say.</summary>
    public ModelRanges? Smallest { get; init; }
}
