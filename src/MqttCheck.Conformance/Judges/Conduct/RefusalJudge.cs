using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges.Conduct;

/// <summary>MQTT 3.1.1: how a CONNECT that breaks a rule is refused. MQTT 5 leaves that to the server.</summary>
internal sealed class RefusalJudge(Judgements judgements) : Judge(judgements)
{
    private const string Level = "protocol-level";

    // A server may go on by another specification if the name is another, and must answer these by a code of CONNACK.
    private static readonly string[] s_answered = ["protocol-name", Level, "client-identifier-empty"];

    /// <summary>A packet that breaks a rule was sent.</summary>
    public void Sent(ObservedConnection connection)
    {
        if (!IsMalformedConnect(connection))
            return;
        if (connection.Defect == Level)
            Check(Statements.LevelRefused);
        else if (!s_answered.Contains(connection.Defect))
            Check(Statements.MalformedConnectSilent);
    }

    // "The Server MUST validate that the CONNECT Packet conforms to section 3.1 and close the Network Connection
    // without sending a CONNACK if it does not conform" (MQTT-3.1.4-1). A client identifier may be rejected by a code
    // (MQTT-3.1.3-9), and a user name too.
    public void Received(ClientSession session, ObservedConnection connection, Packet packet)
    {
        if (packet is not ConnackPacket connack || !IsMalformedConnect(connection))
            return;
        if (
            connack.ReasonCode
                is ReasonCode.Success
                    or ReasonCode.ClientIdentifierNotValid
                    or ReasonCode.BadUserNameOrPassword
                    or ReasonCode.UnsupportedProtocolVersion
            || s_answered.Contains(connection.Defect)
        )
            return;
        Deviate(
            Statements.MalformedConnectSilent,
            connection.Defect!,
            $"{session.Name}'s CONNECT with the defect '{connection.Defect}' is answered by CONNACK "
                + $"({connack.ReasonCode})"
        );
    }

    // "The Server MUST respond to the CONNECT Packet with a CONNACK return code 0x01 (unacceptable protocol level) and
    // then disconnect the Client if the Protocol Level is not supported by the Server" (MQTT-3.1.2-2).
    public void Closed(ClientSession session, ObservedConnection connection, bool byBroker)
    {
        if (byBroker && IsMalformedConnect(connection) && connection is { Defect: Level, Connack: null })
            Deviate(
                Statements.LevelRefused,
                "no answer",
                $"{session.Name}'s CONNECT with an unknown protocol level is not answered by CONNACK",
                mustRecur: true
            );
    }

    private bool IsMalformedConnect(ObservedConnection connection) =>
        Version == ProtocolVersion.V311
        && connection is { Defect: { } defect, Connect: null }
        && Scenarios.MalformedCommand.IsOfConnect(defect, Version)
        && !Scenarios.MalformedCommand.IsWellFormed(defect);
}
