using MqttCheck.Latency.Features;

namespace MqttCheck.Latency;

/// <summary>
/// A latency model that is a law over the features at the start of an exchange, so that it can be held against single
/// exchanges.
/// </summary>
internal interface IConditionalLaw
{
    /// <summary>
    /// P(latency &lt;= x | features), the middle of the jump at an atom; NaN where the model knows nothing.
    /// </summary>
    /// <param name="features">The features.</param>
    /// <param name="milliseconds">The latency x.</param>
    double CumulativeProbability(in ExchangeFeatures features, double milliseconds);
}
