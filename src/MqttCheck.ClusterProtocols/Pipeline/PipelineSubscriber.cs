namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>A client that a publication is for.</summary>
/// <param name="Client">Its number.</param>
/// <param name="IsPersistent">Whether its session outlives its connection.</param>
/// <param name="Qos">The quality of service of its subscription, 0 .. 2.</param>
internal readonly record struct PipelineSubscriber(int Client, bool IsPersistent, int Qos);
