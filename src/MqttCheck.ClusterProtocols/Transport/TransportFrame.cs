namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>One frame between two nodes.</summary>
/// <typeparam name="T">The type of a message.</typeparam>
internal readonly record struct TransportFrame<T>
{
    public required TransportFrameKind Kind { get; init; }

    /// <summary>
    /// The sequence number of the data, the highest one without a gap before it, or the first one that is missing.
    /// </summary>
    public required long Sequence { get; init; }

    /// <summary>The last sequence number that a gap request asks for.</summary>
    public long Last { get; init; }

    /// <summary>The message that the data carry.</summary>
    public T? Message { get; init; }

    /// <summary>How long the receive queue of the acknowledging node is, which feeds overload protection.</summary>
    public int ReceiveQueueLength { get; init; }
}
