using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Judges.Conduct;

/// <summary>The highest quality of service that a server takes, and how it says so.</summary>
internal sealed class MaximumQosJudge(Judgements judgements) : Judge(judgements)
{
    /// <summary>A packet comes. The other judges have not seen it.</summary>
    public void Received(ClientSession session, ObservedConnection connection, Packet packet)
    {
        if (!IsV5 || connection.Connack is not { } connack)
            return;
        var maximum = connack.Properties.MaximumQos;
        switch (packet)
        {
            case PubackPacket or PubrecPacket when maximum is null:
                Check(Statements.MaximumQos);
                break;
            case SubackPacket suback when AsksForMore(session, connection, suback.PacketId, maximum):
                Check(Statements.AnyQosSubscribed);
                break;
            case DisconnectPacket { ReasonCode: ReasonCode.QosNotSupported }:
                JudgeRefusal(session, connection, maximum);
                break;
        }
    }

    // "If a Server does not support QoS 1 or QoS 2 PUBLISH packets it MUST send a Maximum QoS in the CONNACK packet"
    // (MQTT-3.2.2-9), and "MUST still accept SUBSCRIBE packets containing a Requested QoS of 0, 1 or 2"
    // (MQTT-3.2.2-10).
    private void JudgeRefusal(ClientSession session, ObservedConnection connection, QualityOfService? maximum)
    {
        // A client that did not wait for CONNACK may have published above the maximum.
        if (Publishes(connection, maximum ?? QualityOfService.ExactlyOnce))
            return;
        if (AsksForMore(session, connection, null, maximum))
            Deviate(
                Statements.AnyQosSubscribed,
                "",
                $"{session.Name}'s SUBSCRIBE above the Maximum QoS of CONNACK ends its connection",
                mustRecur: true
            );
        else if (maximum is null && Publishes(connection, QualityOfService.AtMostOnce))
            Deviate(
                Statements.MaximumQos,
                "not announced",
                $"{session.Name}'s connection ends with {ReasonCode.QosNotSupported}, and CONNACK has no Maximum QoS"
            );
    }

    private bool Publishes(ObservedConnection connection, QualityOfService above) =>
        Run.Publications.Exists(p => p.Connection == connection.Number && p.Qos > above);

    private static bool AsksForMore(
        ClientSession session,
        ObservedConnection connection,
        ushort? packetId,
        QualityOfService? maximum
    ) =>
        maximum is { } limit
        && session.Awaited.Exists(awaited =>
            awaited.Connection == connection.Number
            && awaited.Subscribe is { } subscribe
            && (packetId is null || awaited.PacketId == packetId)
            && subscribe.Subscriptions.Any(request => request.Qos > limit)
        );
}
