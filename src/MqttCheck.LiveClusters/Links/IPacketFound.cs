namespace MqttCheck.LiveClusters.Links;

/// <summary>Is told of the packets of a stream.</summary>
internal interface IPacketFound
{
    /// <summary>The last byte of a packet has passed.</summary>
    /// <param name="first">Its first byte: type and flags.</param>
    /// <param name="bytes">Its size.</param>
    /// <param name="head">
    /// The beginning of what follows the fixed header, at most <see cref="MqttStreamScanner.HeadBytes"/>; valid only
    /// during the call.
    /// </param>
    /// <param name="nanoseconds">When.</param>
    void Packet(byte first, int bytes, ReadOnlySpan<byte> head, long nanoseconds);
}
