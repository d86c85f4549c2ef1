using MqttCheck.Conformance.Model;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// Whatever comes from the broker: it must be well formed, no larger than the client takes, and not come before
/// CONNACK.
/// </summary>
internal sealed class EncodingJudge(Judgements judgements, LimitJudge limits) : Judge(judgements)
{
    public void Received(ClientSession session, ObservedConnection connection, TraceEntry entry)
    {
        if (entry.Packet is null)
            Check(Statements.Encoding);
        else
            Check(Statements.Encoding, Wording.Packet(entry.Packet.Type));
        limits.Received(session, connection, entry.Packet);
        if (connection.Connect?.Properties.RequestProblemInformation == false && PropertiesOf(entry.Packet) is { } some)
            JudgeProblemInformation(session, entry.Packet!, some);
        // An answer shows that what was sent before did not end the connection.
        if (entry.Packet is SubackPacket or UnsubackPacket or PubackPacket or PubrecPacket or PingrespPacket)
            connection.OpenQos0 = null;
        // The standard does not say how to refuse a CONNECT that cannot be understood. The rule that MQTT 3.1.1 has no
        // such packet is judged at DISCONNECT.
        var isForeign = !Run.IsV5 && entry.Packet is DisconnectPacket;
        foreach (var violation in connection.Defect is null && !isForeign ? entry.Violations : [])
        {
            var where = entry.Packet is null ? "a packet" : Wording.Packet(entry.Packet.Type);
            Deviate(
                Statements.Encoding,
                $"{violation.Statement} in {where}",
                $"{session.Name} gets a packet that breaks {violation.Statement}: {violation.Message}"
            );
        }
        if (connection.Connack is not null || entry.Packet is ConnackPacket or AuthPacket or DisconnectPacket or null)
            return;
        Check(Statements.ConnackFirst);
        Deviate(
            Statements.ConnackFirst,
            entry.Packet.Type.ToString(),
            $"{session.Name} gets {entry.Packet.Type} before CONNACK"
        );
    }

    // "... MUST NOT send a Reason String or User Properties on any packet other than PUBLISH, CONNACK, or DISCONNECT"
    // (MQTT-3.1.2-29).
    private void JudgeProblemInformation(ClientSession session, Packet packet, PacketProperties properties)
    {
        Check(Statements.ProblemInformation);
        if (properties is { ReasonString: null, UserProperties.Count: 0 })
            return;
        var what = properties.ReasonString is null ? "user properties" : "a reason string";
        Deviate(
            Statements.ProblemInformation,
            $"{Wording.Packet(packet.Type)} with {what}",
            $"{session.Name} asked for no problem information, and gets {Wording.Packet(packet.Type)} with {what}"
        );
    }

    private static PacketProperties? PropertiesOf(Packet? packet) =>
        packet switch
        {
            AckPacket ack => ack.Properties,
            SubackPacket suback => suback.Properties,
            UnsubackPacket unsuback => unsuback.Properties,
            _ => null,
        };
}
