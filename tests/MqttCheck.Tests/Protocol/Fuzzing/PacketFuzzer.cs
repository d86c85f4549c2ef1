using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Protocol.Fuzzing;

/// <summary>
/// Throws random and mutated bytes at the decoder and checks what must hold for all bytes: nothing but
/// <see cref="ProtocolException"/> is thrown, no call allocates more than its memory limit, the strict and the
/// observing decoder and the views agree, and what is accepted survives encoding.
/// </summary>
public static class PacketFuzzer
{
    private const int MaximumFailures = 20;

    /// <summary>Tries a number of byte strings.</summary>
    /// <param name="seed">The same seed tries the same bytes.</param>
    /// <param name="cases">How many.</param>
    /// <param name="cancellation">Ends the run early.</param>
    /// <returns>The report; at most 20 failures are listed, then the run ends.</returns>
    public static FuzzReport Run(ulong seed, long cases, CancellationToken cancellation)
    {
        var random = RandomStream.For(seed);
        var failures = new List<string>();
        long tried = 0,
            accepted = 0,
            largest = 0;
        for (; tried < cases && failures.Count < MaximumFailures && !cancellation.IsCancellationRequested; tried++)
        {
            var bytes = PacketMutator.Next(ref random);
            var version = random.NextInt(2) == 0 ? ProtocolVersion.V311 : ProtocolVersion.V5;
            var origin = (PacketOrigin)random.NextInt(3);
            var failure = Check(
                bytes,
                version,
                origin,
                PacketDecoder.LeastMemoryLimitBytes,
                out var isLegal,
                out var allocated
            );
            if (isLegal)
                accepted++;
            largest = Math.Max(largest, allocated);
            if (failure is not null)
                failures.Add($"{failure} [{version}, {origin}, {Convert.ToHexString(bytes)}]");
        }
        return new FuzzReport(tried, accepted, largest, [.. failures]);
    }

    /// <summary>Checks one byte string; null if all is well.</summary>
    /// <param name="bytes">Any bytes.</param>
    /// <param name="version">The protocol version to decode with.</param>
    /// <param name="origin">Who is supposed to have sent them.</param>
    /// <param name="memoryLimitBytes">
    /// What each call of the decoder may allocate, at least <see cref="PacketDecoder.LeastMemoryLimitBytes"/>.
    /// </param>
    /// <param name="isLegal">Whether the strict decoder accepts them.</param>
    /// <param name="allocatedBytes">The most memory that a call of the decoder allocated.</param>
    public static string? Check(
        ReadOnlySpan<byte> bytes,
        ProtocolVersion version,
        PacketOrigin origin,
        int memoryLimitBytes,
        out bool isLegal,
        out long allocatedBytes
    )
    {
        isLegal = false;
        allocatedBytes = 0;
        try
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            var (packet, error) = DecodeStrictly(bytes, version, origin, memoryLimitBytes);
            var between = GC.GetAllocatedBytesForCurrentThread();
            var observed = PacketDecoder.Observe(bytes, version, origin, memoryLimitBytes);
            allocatedBytes = Math.Max(between - before, GC.GetAllocatedBytesForCurrentThread() - between);
            if (allocatedBytes > memoryLimitBytes)
                return $"decoding {bytes.Length} bytes allocated {allocatedBytes}, the limit is {memoryLimitBytes}";
            var failure = CompareMoods(bytes, packet, error, observed);
            if (error is { ReasonCode: ReasonCode.QuotaExceeded })
                (packet, error) = DecodeStrictly(bytes, version, origin, int.MaxValue);
            isLegal = error is null;
            return failure ?? CompareViews(bytes, version, origin, packet) ?? CheckEncoding(packet, version, origin);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // Whatever else is thrown is the finding.
            return $"{exception.GetType().Name}: {exception.Message}";
        }
    }

    private static (Packet? Packet, ProtocolException? Error) DecodeStrictly(
        ReadOnlySpan<byte> bytes,
        ProtocolVersion version,
        PacketOrigin origin,
        int memoryLimitBytes
    )
    {
        try
        {
            return (PacketDecoder.Decode(bytes, version, origin, memoryLimitBytes), null);
        }
        catch (ProtocolException exception)
        {
            return (null, exception);
        }
    }

    private static string? CompareMoods(
        ReadOnlySpan<byte> bytes,
        Packet? packet,
        ProtocolException? error,
        ObservedPacket observed
    )
    {
        if (observed.IsLegal != (error is null))
            return $"strict: {error?.Message ?? "legal"}, observing: {observed.Violations}";
        if (error is null)
            return packet!.Equals(observed.Packet) ? null : "the two moods decode different packets";
        var first = observed.Violations[0];
        if ((first.Statement, first.Offset) != (error.Statement, error.Offset))
            return $"strict: {error.Message}, observing first: {first}";
        return error.Offset < 0 || error.Offset > bytes.Length
            ? $"offset {error.Offset} of {bytes.Length} bytes"
            : null;
    }

    private static string? CompareViews(
        ReadOnlySpan<byte> bytes,
        ProtocolVersion version,
        PacketOrigin origin,
        Packet? packet
    )
    {
        var isPublish = PublishView.TryParse(version, bytes, out var publish, origin);
        if (isPublish != packet is PublishPacket)
            return $"the PUBLISH view {(isPublish ? "accepts" : "refuses")} what the decoder does not";
        if (
            packet is PublishPacket p
            && (
                Bytes.FromText(p.Topic) != Bytes.Copy(publish.Topic)
                || p.Payload != Bytes.Copy(publish.Payload)
                || p.PacketId != publish.PacketId
                || p.Qos != publish.Qos
                || p.Retain != publish.Retain
                || p.Duplicate != publish.Duplicate
                || (p.Properties.TopicAlias ?? 0) != publish.TopicAlias
            )
        )
            return "the PUBLISH view reads other fields than the decoder";

        var isAck = AckView.TryParse(version, bytes, out var ack, origin);
        var (packetId, reason) = packet switch
        {
            PubackPacket a => (a.PacketId, a.ReasonCode),
            PubrecPacket a => (a.PacketId, a.ReasonCode),
            PubrelPacket a => (a.PacketId, a.ReasonCode),
            PubcompPacket a => (a.PacketId, a.ReasonCode),
            _ => default,
        };
        if (isAck != (packetId != 0))
            return $"the acknowledgement view {(isAck ? "accepts" : "refuses")} what the decoder does not";
        return isAck && (ack.PacketId, ack.ReasonCode, ack.Type) != (packetId, reason, packet!.Type)
            ? "the acknowledgement view reads other fields than the decoder"
            : null;
    }

    private static string? CheckEncoding(Packet? packet, ProtocolVersion version, PacketOrigin origin)
    {
        if (packet is null)
            return null;
        var again = PacketDecoder.Decode(PacketEncoder.Encode(packet, version), version, origin);
        return again.Equals(packet) ? null : "encoding and decoding changes the packet";
    }
}
