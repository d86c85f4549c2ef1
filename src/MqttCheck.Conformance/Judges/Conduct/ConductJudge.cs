using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges.Conduct;

/// <summary>
/// Packets that the server must not send, whatever they answer: behind its DISCONNECT, or of an authentication that
/// nobody asked for.
/// </summary>
internal sealed class ConductJudge(Judgements judgements) : Judge(judgements)
{
    /// <summary>A packet comes. The other judges have not seen it.</summary>
    public void Received(ClientSession session, ObservedConnection connection, Packet packet)
    {
        if (!IsV5)
            return;
        JudgeSilence(session, connection, packet);
        JudgeAuthentication(session, connection, packet);
    }

    public void AddOwed(ClientSession session, List<Obligation> owed)
    {
        // Other judges wait for the end of a connection that was refused, silent or malformed.
        if (
            IsV5
            && session.Connection
                is {
                    ToldReason: not null,
                    IsClosed: false,
                    IsLeft: false,
                    Defect: null,
                    IsRefused: false,
                    IsSilent: false
                } connection
        )
            owed.Add(
                new Obligation(
                    Statements.ClosesBehindDisconnect,
                    connection.ToldReason.ToString()!,
                    $"{session.Name}'s connection is not ended after the broker's DISCONNECT ({connection.ToldReason})",
                    session.Client
                )
                {
                    Waive = () => connection.IsLeft = true,
                }
            );
    }

    // "After sending a DISCONNECT packet the sender MUST NOT send any more MQTT Control Packets" (MQTT-3.14.4-1), and
    // "MUST close the Network Connection" (MQTT-3.14.4-2).
    private void JudgeSilence(ClientSession session, ObservedConnection connection, Packet packet)
    {
        if (connection.ToldReason is { } reason)
        {
            Deviate(
                Statements.SilentBehindDisconnect,
                Wording.Packet(packet.Type),
                $"{session.Name} gets {Wording.Packet(packet.Type)} behind the broker's DISCONNECT ({reason})"
            );
        }
        else if (packet is DisconnectPacket)
        {
            Check(Statements.SilentBehindDisconnect);
            Check(Statements.ClosesBehindDisconnect);
        }
    }

    // "If the Client does not include an Authentication Method in the CONNECT, the Server MUST NOT send an AUTH packet,
    // and it MUST NOT send an Authentication Method in the CONNACK packet" (MQTT-4.12.0-6).
    private void JudgeAuthentication(ClientSession session, ObservedConnection connection, Packet packet)
    {
        if (
            packet is not (ConnackPacket or AuthPacket)
            || connection.Connect is not { Properties.AuthenticationMethod: null }
        )
            return;
        Check(Statements.AuthenticationUnasked);
        if (packet is AuthPacket or ConnackPacket { Properties.AuthenticationMethod: not null })
            Deviate(
                Statements.AuthenticationUnasked,
                Wording.Packet(packet.Type),
                $"{session.Name} named no authentication method and gets one in {Wording.Packet(packet.Type)}"
            );
    }
}
