namespace MqttCheck.Captures.Files;

/// <summary>A packet as a capture file holds it.</summary>
internal readonly ref struct CapturedFrame
{
    /// <summary>When it passed, since 1970.</summary>
    public long Nanoseconds { get; init; }

    /// <summary>The number of its link type.</summary>
    public int LinkType { get; init; }

    /// <summary>The bytes, from those of the link on; they may be fewer than were sent.</summary>
    public ReadOnlySpan<byte> Bytes { get; init; }
}
