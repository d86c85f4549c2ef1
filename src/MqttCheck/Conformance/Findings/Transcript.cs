using System.Globalization;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Findings;

/// <summary>A trace as text: who sent what, and what came.</summary>
public static class Transcript
{
    private const int NameWidth = 11;

    // What was not shrunk may have taken tens of thousands of messages of other runs.
    private const int MaximumEntries = 200;

    /// <summary>One line for each observation up to a deviation, which is marked.</summary>
    /// <param name="finding">The finding.</param>
    public static IReadOnlyList<string> Of(Finding finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        return Of(finding.Trace, finding.Names, finding.Deviation.Entry);
    }

    /// <summary>One line for each of the last observations up to the deviation, which is marked.</summary>
    /// <param name="suspicion">What was seen and not repeated.</param>
    public static IReadOnlyList<string> Of(Suspicion suspicion)
    {
        ArgumentNullException.ThrowIfNull(suspicion);
        var before = Math.Max(0, suspicion.Deviation.Entry + 1 - MaximumEntries);
        var lines = Lines(suspicion.Trace, suspicion.Names, suspicion.Deviation.Entry, before);
        return before == 0
            ? lines
            : [string.Create(CultureInfo.InvariantCulture, $"({before} observations before)"), .. lines];
    }

    /// <summary>One line for each observation.</summary>
    /// <param name="trace">The trace.</param>
    /// <param name="names">The names of the run, which are replaced by symbolic ones.</param>
    /// <param name="marked">The entry to mark and to end with.</param>
    public static IReadOnlyList<string> Of(IReadOnlyList<TraceEntry> trace, ScenarioNames names, int marked)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(names);
        return Lines(trace, names, marked, 0);
    }

    private static List<string> Lines(IReadOnlyList<TraceEntry> trace, ScenarioNames names, int marked, int first)
    {
        var lines = new List<string>();
        var connections = trace
            .Where(entry => entry.Kind == TraceKind.Opened)
            .GroupBy(entry => entry.Client)
            .Where(group => group.Count() > 1)
            .Select(group => group.Key)
            .ToHashSet();
        for (var i = first; i < trace.Count && i <= marked; i++)
        {
            var entry = trace[i];
            if (entry.Kind == TraceKind.Opened)
                continue;
            if (entry.Kind == TraceKind.Waited)
            {
                lines.Add(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{(entry.Nanoseconds - trace[0].Nanoseconds) / 1e6, 8:0.0} ms         the wait is over{(i == marked ? "   <==" : "")}"
                    )
                );
                continue;
            }
            var milliseconds = (entry.Nanoseconds - trace[0].Nanoseconds) / 1e6;
            // A client with several connections shows which.
            var number = trace
                .Take(i)
                .Count(e => e.Kind == TraceKind.Opened && e.Client == entry.Client && e.Connection <= entry.Connection);
            var client =
                $"{(char)('A' + entry.Client)}{(connections.Contains(entry.Client) ? number.ToString(CultureInfo.InvariantCulture) : "")}";
            lines.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{milliseconds, 8:0.0} ms  {client, -2} {Arrow(entry.Kind)} {Describe(entry, names)}{(i == marked ? "   <==" : "")}"
                )
            );
        }
        return lines;
    }

    private static string Arrow(TraceKind kind) =>
        kind switch
        {
            TraceKind.Sent or TraceKind.SentMalformed => "-->",
            TraceKind.Received => "<--",
            _ => "   ",
        };

    private static string Describe(TraceEntry entry, ScenarioNames names) =>
        entry.Kind switch
        {
            TraceKind.ClosedByClient => "ends the connection",
            TraceKind.ClosedByBroker =>
                $"the broker ended the connection{(entry.Detail.Length > 0 ? $" ({entry.Detail})" : "")}",
            TraceKind.SentMalformed =>
                $"{Convert.ToHexString(entry.Raw.Span[..Math.Min(entry.Raw.Length, 40)])}{(entry.Raw.Length > 40 ? "..." : "")}, which has the defect '{entry.Detail}'",
            TraceKind.Withholds => entry.Detail == "release" ? "will send no PUBREL" : "does not wait for the answer",
            _ when entry.Packet is null => "a packet that cannot be understood",
            _ =>
                $"{Describe(entry.Packet, names)}{(entry is { Kind: TraceKind.Sent, Detail.Length: > 0 } ? $", {entry.Detail}" : "")}",
        };

    private static string Describe(Packet packet, ScenarioNames names)
    {
        var words = new List<string>();
        PacketProperties? properties = null;
        switch (packet)
        {
            case ConnectPacket connect:
                words.Add($"client {names.Symbolic(connect.ClientId)}");
                words.Add(
                    connect.ProtocolVersion == ProtocolVersion.V5
                        ? $"clean start {Bit(connect.CleanStart)}"
                        : $"clean session {Bit(connect.CleanStart)}"
                );
                if (connect.Will is { } will)
                    words.Add(
                        $"will {Text(will.Payload, names)} on {names.Symbolic(will.Topic)} QoS {(int)will.Qos}{(will.Retain ? " RETAIN" : "")}"
                    );
                if (connect.KeepAliveSeconds > 0)
                    words.Add(string.Create(CultureInfo.InvariantCulture, $"keep alive {connect.KeepAliveSeconds} s"));
                if (connect.Will?.Properties.WillDelayIntervalSeconds is { } delay)
                    words.Add(string.Create(CultureInfo.InvariantCulture, $"will delay {delay} s"));
                properties = connect.Properties;
                break;
            case ConnackPacket connack:
                words.Add(connack.ReasonCode == ReasonCode.Success ? "accepted" : connack.ReasonCode.ToString());
                words.Add($"session present {Bit(connack.SessionPresent)}");
                properties = connack.Properties;
                break;
            case PublishPacket publish:
                words.Add(
                    $"{(publish.Topic.Length == 0 ? "(alias)" : Short(names.Symbolic(publish.Topic)))} {Text(publish.Payload, names)} QoS {(int)publish.Qos}{(publish.Retain ? " RETAIN" : "")}{(publish.Duplicate ? " DUP" : "")}{Id(publish.PacketId)}"
                );
                properties = publish.Properties;
                break;
            case PubackPacket ack:
                words.Add(Answer(ack.PacketId, ack.ReasonCode));
                break;
            case PubrecPacket ack:
                words.Add(Answer(ack.PacketId, ack.ReasonCode));
                break;
            case PubrelPacket ack:
                words.Add(Answer(ack.PacketId, ack.ReasonCode));
                break;
            case PubcompPacket ack:
                words.Add(Answer(ack.PacketId, ack.ReasonCode));
                break;
            case SubscribePacket subscribe:
                words.Add(
                    string.Join(
                        ", ",
                        subscribe.Subscriptions.Select(request =>
                            $"{Short(names.Symbolic(request.Filter))} QoS {(int)request.Qos}"
                            + $"{(request.NoLocal ? " no-local" : "")}{(request.RetainAsPublished ? " as-published" : "")}{(request.RetainHandling == RetainHandling.Send ? "" : $" handling {(int)request.RetainHandling}")}"
                        )
                    ) + Id(subscribe.PacketId)
                );
                properties = subscribe.Properties;
                break;
            case SubackPacket suback:
                words.Add(
                    $"{string.Join(", ", suback.ReasonCodes.Select(code => code.IsError() ? code.ToString() : $"granted {(int)code}"))}{Id(suback.PacketId)}"
                );
                break;
            case UnsubscribePacket unsubscribe:
                words.Add(
                    string.Join(", ", unsubscribe.Filters.Select(filter => Short(names.Symbolic(filter))))
                        + Id(unsubscribe.PacketId)
                );
                break;
            case UnsubackPacket unsuback:
                words.Add($"{string.Join(", ", unsuback.ReasonCodes)}{Id(unsuback.PacketId)}".Trim());
                break;
            case DisconnectPacket disconnect:
                words.Add(disconnect.ReasonCode == ReasonCode.Success ? "" : disconnect.ReasonCode.ToString());
                break;
        }
        if (properties is { IsEmpty: false })
            words.Add(names.Symbolic(properties.ToString()["PacketProperties".Length..].Trim()));
        return $"{packet.Type.ToString().ToUpperInvariant().PadRight(NameWidth)} {string.Join(", ", words)}".TrimEnd();
    }

    private static int Bit(bool value) => value ? 1 : 0;

    private static string Id(ushort packetId) =>
        packetId == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" (id {packetId})");

    private static string Answer(ushort packetId, ReasonCode code) =>
        string.Create(CultureInfo.InvariantCulture, $"(id {packetId}){(code == ReasonCode.Success ? "" : $" {code}")}");

    private static string Text(Bytes payload, ScenarioNames names) =>
        payload.IsEmpty
            ? "(empty)"
            : $"'{Short(payload.Span.IndexOfAnyExceptInRange((byte)' ', (byte)'~') < 0 ? payload.ToText().Replace(names.Token + ":", "m", StringComparison.Ordinal) : payload.ToString())}'";

    private static string Short(string text) =>
        text.Length <= 60
            ? text
            : string.Create(CultureInfo.InvariantCulture, $"{text[..40]}... ({text.Length} characters)");
}
