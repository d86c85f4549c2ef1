namespace MqttCheck.Brokers.Fleets.Captures;

/// <summary>A TCP segment with data, as a packet capture saw it.</summary>
/// <param name="Nanoseconds">When, on the wall clock: since 1970.</param>
/// <param name="SourcePort">Who sent it.</param>
/// <param name="DestinationPort">To whom.</param>
/// <param name="Sequence">The sequence number of its first byte.</param>
/// <param name="Data">The data.</param>
internal readonly record struct CapturedSegment(
    long Nanoseconds,
    int SourcePort,
    int DestinationPort,
    uint Sequence,
    ReadOnlyMemory<byte> Data
);
