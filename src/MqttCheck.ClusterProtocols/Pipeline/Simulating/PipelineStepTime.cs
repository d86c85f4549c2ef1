namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>Something happened at a node of the simulated pipeline.</summary>
/// <param name="Node">The index of the node.</param>
/// <param name="Nanoseconds">When.</param>
internal readonly record struct PipelineStepTime(int Node, long Nanoseconds);
