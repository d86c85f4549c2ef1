using MqttCheck.Latency.Features;

namespace MqttCheck.Learning.Replay;

/// <summary>
/// An exchange of a training case that was held out, beside what a model learned from the others says about it.
/// </summary>
/// <param name="Features">The features when it was sent.</param>
/// <param name="LatencyMilliseconds">How long it took.</param>
/// <param name="Transform">
/// The model's distribution function at that latency (probability integral transform), 0 .. 1.
/// </param>
/// <param name="MedianMilliseconds">The model's median.</param>
internal readonly record struct HeldOutExchange(
    ExchangeFeatures Features,
    double LatencyMilliseconds,
    double Transform,
    double MedianMilliseconds
);
