using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Captures.Messages;

/// <summary>
/// Judges whether bytes begin at a border of packets: they must be whole packets without a defect, and end with one.
/// </summary>
internal static class PacketBorders
{
    private const int LargestPacket = 1 << 20;

    /// <summary>Judges bytes that begin with a segment.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <param name="version">The version; null where either will do.</param>
    /// <param name="origin">The sender.</param>
    /// <param name="sender">The sender that the types of the packets tell.</param>
    /// <returns>Whole packets, the beginning of some, or neither.</returns>
    public static FrameStatus Judge(
        ReadOnlySpan<byte> bytes,
        ProtocolVersion? version,
        PacketOrigin origin,
        out PacketOrigin sender
    )
    {
        sender = origin;
        while (!bytes.IsEmpty)
        {
            var status = PacketFrame.TryRead(bytes, LargestPacket, out var frame);
            if (status is FrameStatus.Malformed or FrameStatus.TooLarge)
                return FrameStatus.Malformed;
            if (status == FrameStatus.NeedMore)
                return MayBegin(bytes, frame) ? FrameStatus.NeedMore : FrameStatus.Malformed;
            var packet = bytes[..frame.TotalLength];
            if (!IsLegal(packet, version, origin))
                return FrameStatus.Malformed;
            if (SenderOf(frame.Type) is not PacketOrigin.Unknown and var only)
            {
                if (sender != PacketOrigin.Unknown && sender != only)
                    return FrameStatus.Malformed;
                sender = only;
            }
            bytes = bytes[frame.TotalLength..];
        }
        return FrameStatus.Complete;
    }

    /// <summary>Whether a whole packet breaks no rule.</summary>
    public static bool IsLegal(ReadOnlySpan<byte> packet, ProtocolVersion? version, PacketOrigin origin) =>
        version is { } known
            ? IsLegal(packet, known, origin)
            : IsLegal(packet, ProtocolVersion.V5, origin) || IsLegal(packet, ProtocolVersion.V311, origin);

    private static bool IsLegal(ReadOnlySpan<byte> packet, ProtocolVersion version, PacketOrigin origin) =>
        (PacketType)(packet[0] >> 4) switch
        {
            PacketType.Reserved => false,
            PacketType.Publish => PublishView.TryParse(version, packet, out _, origin),
            PacketType.Puback or PacketType.Pubrec or PacketType.Pubrel or PacketType.Pubcomp => AckView.TryParse(
                version,
                packet,
                out _,
                origin
            ),
            _ => PacketDecoder.Observe(packet, version, origin, LargestPacket).IsLegal,
        };

    // A packet that is longer than the bytes: only a PUBLISH is awaited, the others are short.
    private static bool MayBegin(ReadOnlySpan<byte> bytes, PacketFrame frame)
    {
        if (frame.TotalLength == 0)
            return bytes.Length == 1 && bytes[0] >> 4 == (int)PacketType.Publish;
        if (frame.Type != PacketType.Publish || (frame.FirstByte & 6) == 6)
            return false;
        var body = bytes[frame.HeaderLength..];
        return body.Length < 2 || 2 + (body[0] << 8 | body[1]) <= frame.TotalLength - frame.HeaderLength;
    }

    private static PacketOrigin SenderOf(PacketType type) =>
        type switch
        {
            PacketType.Connect or PacketType.Subscribe or PacketType.Unsubscribe or PacketType.Pingreq =>
                PacketOrigin.Client,
            PacketType.Connack or PacketType.Suback or PacketType.Unsuback or PacketType.Pingresp =>
                PacketOrigin.Server,
            _ => PacketOrigin.Unknown,
        };
}
