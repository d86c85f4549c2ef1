namespace MqttCheck.Protocol.Frames;

/// <summary>The state of the bytes at the front of a receive buffer.</summary>
internal enum FrameStatus
{
    /// <summary>The beginning of a packet: read on.</summary>
    NeedMore = 0,

    /// <summary>A whole packet.</summary>
    Complete = 1,

    /// <summary>A remaining length of more than four bytes: the stream cannot be split any further.</summary>
    Malformed = 2,

    /// <summary>A packet larger than the receiver accepts.</summary>
    TooLarge = 3,
}
