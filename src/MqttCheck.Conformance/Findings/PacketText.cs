using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Conformance.Findings;

/// <summary>A packet as a line of a transcript has it, with symbolic names.</summary>
internal static class PacketText
{
    private const int NameWidth = 11;

    // A longer name or payload is cut to this many characters.
    private const int Longest = 60,
        Cut = 40;

    public static string Of(Packet packet, ScenarioNames names)
    {
        List<string> words = [.. Words(packet, names)];
        if (PropertiesOf(packet) is { IsEmpty: false } properties)
            words.Add(names.Symbolic(properties.ToString()["PacketProperties".Length..].Trim()));
        return $"{packet.Type.ToString().ToUpperInvariant().PadRight(NameWidth)} {string.Join(", ", words)}".TrimEnd();
    }

    private static IEnumerable<string> Words(Packet packet, ScenarioNames names) =>
        packet switch
        {
            ConnectPacket connect => Connect(connect, names),
            ConnackPacket connack =>
            [
                connack.ReasonCode == ReasonCode.Success ? "accepted" : connack.ReasonCode.ToString(),
                $"session present {Bit(connack.SessionPresent)}",
            ],
            PublishPacket publish => [Publish(publish, names)],
            AckPacket ack => [Answer(ack.PacketId, ack.ReasonCode)],
            SubscribePacket subscribe =>
            [
                string.Join(", ", subscribe.Subscriptions.Select(r => Request(r, names))) + Id(subscribe.PacketId),
            ],
            SubackPacket suback => [string.Join(", ", suback.ReasonCodes.Select(Grant)) + Id(suback.PacketId)],
            UnsubscribePacket unsubscribe =>
            [
                string.Join(", ", unsubscribe.Filters.Select(f => Short(names.Symbolic(f)))) + Id(unsubscribe.PacketId),
            ],
            UnsubackPacket unsuback => [$"{string.Join(", ", unsuback.ReasonCodes)}{Id(unsuback.PacketId)}".Trim()],
            DisconnectPacket { ReasonCode: not ReasonCode.Success and var reason } => [reason.ToString()],
            _ => [],
        };

    private static PacketProperties? PropertiesOf(Packet packet) =>
        packet switch
        {
            ConnectPacket connect => connect.Properties,
            ConnackPacket connack => connack.Properties,
            PublishPacket publish => publish.Properties,
            SubscribePacket subscribe => subscribe.Properties,
            SubackPacket suback => suback.Properties,
            UnsubscribePacket unsubscribe => unsubscribe.Properties,
            UnsubackPacket unsuback => unsuback.Properties,
            AckPacket ack => ack.Properties,
            DisconnectPacket disconnect => disconnect.Properties,
            _ => null,
        };

    private static IEnumerable<string> Connect(ConnectPacket connect, ScenarioNames names)
    {
        yield return $"client {names.Symbolic(connect.ClientId)}";
        var clean = connect.ProtocolVersion == ProtocolVersion.V5 ? "clean start" : "clean session";
        yield return $"{clean} {Bit(connect.CleanStart)}";
        if (connect.Will is { } will)
        {
            var topic = names.Symbolic(will.Topic);
            yield return $"will {Text(will.Payload, names)} on {topic} QoS "
                + $"{(int)will.Qos}{(will.Retain ? " RETAIN" : "")}";
        }
        if (connect.KeepAliveSeconds > 0)
            yield return Invariant($"keep alive {connect.KeepAliveSeconds} s");
        if (connect.Will?.Properties.WillDelayIntervalSeconds is { } delay)
            yield return Invariant($"will delay {delay} s");
    }

    private static string Publish(PublishPacket publish, ScenarioNames names)
    {
        var topic = publish.Topic.Length == 0 ? "(alias)" : Short(names.Symbolic(publish.Topic));
        var flags = $"{(publish.Retain ? " RETAIN" : "")}{(publish.Duplicate ? " DUP" : "")}{Id(publish.PacketId)}";
        return $"{topic} {Text(publish.Payload, names)} QoS {(int)publish.Qos}{flags}";
    }

    private static string Request(SubscriptionRequest request, ScenarioNames names)
    {
        var options = $"{(request.NoLocal ? " no-local" : "")}{(request.RetainAsPublished ? " as-published" : "")}";
        if (request.RetainHandling != RetainHandling.Send)
            options += $" handling {(int)request.RetainHandling}";
        return $"{Short(names.Symbolic(request.Filter))} QoS {(int)request.Qos}{options}";
    }

    private static string Grant(ReasonCode code) => code.IsError() ? code.ToString() : $"granted {(int)code}";

    private static int Bit(bool value) => value ? 1 : 0;

    private static string Id(ushort packetId) => packetId == 0 ? "" : Invariant($" (id {packetId})");

    private static string Answer(ushort packetId, ReasonCode code) =>
        Invariant($"(id {packetId})") + (code == ReasonCode.Success ? "" : $" {code}");

    private static string Text(Bytes payload, ScenarioNames names)
    {
        if (payload.IsEmpty)
            return "(empty)";
        var isText = payload.Span.IndexOfAnyExceptInRange((byte)' ', (byte)'~') < 0;
        return !isText
            ? $"'{Short(payload.ToString())}'"
            : $"'{Short(payload.ToText().Replace(names.Token + ":", "m", StringComparison.Ordinal))}'";
    }

    private static string Short(string text) =>
        text.Length <= Longest ? text : Invariant($"{text[..Cut]}... ({text.Length} characters)");
}
