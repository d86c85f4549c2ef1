namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>A process of the simulated pipeline: a broker, the log or the store.</summary>
internal class PipelineNode(int index)
{
    /// <summary>Its index in the topology.</summary>
    public int Index => index;

    /// <summary>Whether it runs.</summary>
    public bool IsAlive { get; set; } = true;

    /// <summary>How many processes there have been before; what an earlier one planned does not happen.</summary>
    public int Incarnation { get; set; }
}
