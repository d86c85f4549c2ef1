namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>A rate that holds from a time on.</summary>
/// <param name="FromSecond">When it begins, in seconds from the start.</param>
/// <param name="PerSecond">Publications of a node in a second.</param>
internal readonly record struct TransportRate(double FromSecond, double PerSecond);
