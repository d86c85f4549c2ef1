using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Protocol.Decoders;

/// <summary>Reads SUBSCRIBE, SUBACK, UNSUBSCRIBE and UNSUBACK.</summary>
internal static class SubscriptionDecoder
{
    internal static SubscribePacket ReadSubscribe(ref PacketReader reader)
    {
        var packetId = reader.ReadPacketId(Rules.PacketId);
        var properties = ReadProperties(ref reader, PacketType.Subscribe);
        var requests = reader.NewArray<SubscriptionRequest>(reader.CountTexts(bytesBehindEach: 1));
        for (var i = 0; reader.Remaining > 0; i++)
        {
            var filter = ReadFilter(ref reader, out var isShared);
            requests[i] = ReadOptions(ref reader, filter, isShared);
        }
        if (requests.Length == 0)
            reader.Report(Rules.NoFilter, reader.Position, "SUBSCRIBE without a topic filter");
        return new SubscribePacket(packetId, new ValueList<SubscriptionRequest>(requests)) { Properties = properties };
    }

    internal static SubackPacket ReadSuback(ref PacketReader reader)
    {
        var packetId = reader.ReadPacketId(Rules.SubscriptionAnswerPacketId);
        var properties = ReadProperties(ref reader, PacketType.Suback);
        var codes = reader.NewArray<ReasonCode>(reader.Remaining);
        for (var i = 0; i < codes.Length; i++)
        {
            var code = codes[i] = (ReasonCode)reader.ReadByte("a reason code");
            var allowed = reader.IsV5
                ? code.IsAllowedIn(PacketType.Suback)
                : code
                    is ReasonCode.Success
                        or ReasonCode.GrantedQos1
                        or ReasonCode.GrantedQos2
                        or ReasonCode.UnspecifiedError;
            if (!allowed)
                reader.Report(Rules.SubackCode, reader.Position - 1, $"0x{(int)code:X2} is not a code of SUBACK");
        }
        if (codes.Length == 0)
            reader.Report(Rules.SubackWithoutCode, reader.Position, "SUBACK without a code");
        return new SubackPacket(packetId, new ValueList<ReasonCode>(codes)) { Properties = properties };
    }

    internal static UnsubscribePacket ReadUnsubscribe(ref PacketReader reader)
    {
        var packetId = reader.ReadPacketId(Rules.PacketId);
        var properties = ReadProperties(ref reader, PacketType.Unsubscribe);
        var filters = reader.NewArray<string>(reader.CountTexts(bytesBehindEach: 0));
        for (var i = 0; reader.Remaining > 0; i++)
            filters[i] = ReadFilter(ref reader, out _);
        if (filters.Length == 0)
            reader.Report(Rules.NothingToUnsubscribe, reader.Position, "UNSUBSCRIBE without a topic filter");
        return new UnsubscribePacket(packetId, new ValueList<string>(filters)) { Properties = properties };
    }

    internal static UnsubackPacket ReadUnsuback(ref PacketReader reader)
    {
        var packetId = reader.ReadPacketId(Rules.SubscriptionAnswerPacketId);
        if (!reader.IsV5)
            return new UnsubackPacket(packetId);
        var properties = PropertyDecoder.Read(ref reader, 1 << (int)PacketType.Unsuback);
        var codes = reader.NewArray<ReasonCode>(reader.Remaining);
        for (var i = 0; i < codes.Length; i++)
        {
            var code = codes[i] = (ReasonCode)reader.ReadByte("a reason code");
            if (!code.IsAllowedIn(PacketType.Unsuback))
                reader.Report(
                    Rules.UnsubackCode,
                    reader.Position - 1,
                    $"0x{(int)code:X2} is not a reason code of UNSUBACK"
                );
        }
        if (codes.Length == 0)
            reader.Report(Rules.UnsubackWithoutCode, reader.Position, "UNSUBACK without a reason code");
        return new UnsubackPacket(packetId, new ValueList<ReasonCode>(codes)) { Properties = properties };
    }

    private static PacketProperties ReadProperties(ref PacketReader reader, PacketType type) =>
        reader.IsV5 ? PropertyDecoder.Read(ref reader, 1 << (int)type) : PacketProperties.Empty;

    private static string ReadFilter(ref PacketReader reader, out bool isShared)
    {
        var start = reader.Position + 2;
        var bytes = reader.ReadBinary("the topic filter");
        isShared = TopicFilter.IsShared(bytes);
        var filter = reader.Text(bytes, start, "the topic filter");
        if (TopicFilter.FindViolation(bytes, reader.Version) is { } rule)
            reader.Report(rule, start, $"\"{filter}\" is not a valid topic filter");
        return filter;
    }

    private static SubscriptionRequest ReadOptions(ref PacketReader reader, string filter, bool isShared)
    {
        var offset = reader.Position;
        var options = reader.ReadByte("the subscription options");
        var qos = options & 3;
        if (qos == 3)
            reader.Report(Rules.SubscriptionQos, offset, $"the requested QoS of \"{filter}\" is 3");
        if (!reader.IsV5)
        {
            if ((options & 0xFC) != 0)
                reader.Report(
                    Rules.SubscriptionReservedBits,
                    offset,
                    $"the requested QoS byte of \"{filter}\" is 0x{options:X2}"
                );
            return new SubscriptionRequest(filter, (QualityOfService)qos);
        }
        var noLocal = (options & 4) != 0;
        var retainHandling = (options >> 4) & 3;
        if ((options & 0xC0) != 0)
            reader.Report(Rules.SubscriptionReservedBits, offset, $"the options of \"{filter}\" are 0x{options:X2}");
        if (retainHandling == 3)
            reader.Report(Rules.SubscriptionRetainHandling, offset, $"the retain handling of \"{filter}\" is 3");
        if (noLocal && isShared)
            reader.Report(Rules.NoLocalOnShared, offset, $"no local on the shared subscription \"{filter}\"");
        return new SubscriptionRequest(
            filter,
            (QualityOfService)qos,
            noLocal,
            (options & 8) != 0,
            (RetainHandling)retainHandling
        );
    }
}
