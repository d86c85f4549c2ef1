namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>An application message on its way through the pipeline.</summary>
/// <param name="Id">Its number, unique in a run.</param>
/// <param name="Topic">Its topic.</param>
/// <param name="Qos">The quality of service of its publication, 0 .. 2.</param>
internal readonly record struct PipelineMessage(long Id, string Topic, int Qos)
{
    /// <summary>The place of its publication in the log; null before it was read from there.</summary>
    public LogPlace? Place { get; init; }

    /// <summary>The payload; empty in simulations.</summary>
    public ReadOnlyMemory<byte> Payload { get; init; }
}
