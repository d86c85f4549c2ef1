namespace MqttCheck.Captures.Tcp;

/// <summary>Takes the bytes of a connection, each side's in order. Sides are 0 and 1.</summary>
internal interface IConversation
{
    /// <summary>The connection stands.</summary>
    /// <param name="toBroker">How long the answer to the first packet took, in nanoseconds.</param>
    /// <param name="toClient">How long the answer to that took.</param>
    void Stands(long toBroker, long toClient);

    /// <summary>A side sent bytes.</summary>
    /// <param name="side">The side.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="nanoseconds">When.</param>
    void Data(int side, ReadOnlySpan<byte> bytes, long nanoseconds);

    /// <summary>A side sent bytes that are not in the capture.</summary>
    /// <param name="side">The side.</param>
    /// <param name="count">How many.</param>
    /// <param name="nanoseconds">When the next that is there was sent.</param>
    void Missing(int side, long count, long nanoseconds);

    /// <summary>A side sends no more.</summary>
    /// <param name="side">The side.</param>
    /// <param name="nanoseconds">When.</param>
    void Closed(int side, long nanoseconds);
}
