namespace MqttCheck.LiveClusters.Links;

/// <summary>A PUBLISH packet that enters or leaves a directed link.</summary>
internal readonly ref struct LinkPublication
{
    /// <summary>When its last byte passed, on the clock of <c>CLOCK_MONOTONIC</c>, in nanoseconds.</summary>
    public required long Nanoseconds { get; init; }

    /// <summary>The topic in UTF-8; empty if an alias stands for it, or if it exceeds 2 KiB.</summary>
    public required ReadOnlySpan<byte> Topic { get; init; }

    /// <summary>The beginning of the payload, as far as it lies in the first 2 KiB of the packet.</summary>
    public required ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>The quality of service on this link.</summary>
    public required int Qos { get; init; }

    /// <summary>The size of the packet in bytes.</summary>
    public required int Bytes { get; init; }
}
