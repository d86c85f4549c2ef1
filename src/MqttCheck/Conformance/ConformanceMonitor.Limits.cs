using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance;

/// <content>What CONNACK says a broker does not offer, and what a connection that is taken over is told.</content>
public sealed partial class ConformanceMonitor
{
    // What the last CONNACK of the run said; null before the first.
    private PacketProperties? _limits;

    // Sent before CONNACK, it could not keep to what CONNACK says: the broker ends the connection (MQTT 5, sections 3.2.2.3.3 to 3.2.2.3.6).
    private bool ExceedsLimits(ConnectionState connection, ConnackPacket connack)
    {
        if (!IsV5)
            return false;
        var limits = connack.Properties;
        Publication[] sent = [.. _publications.Where(publication => publication.Connection == connection.Number)];
        return sent.Count(publication => publication.Qos > QualityOfService.AtMostOnce)
                > (limits.ReceiveMaximum ?? ushort.MaxValue)
            || Array.Exists(
                sent,
                publication =>
                    publication.Qos > (limits.MaximumQos ?? QualityOfService.ExactlyOnce)
                    || (publication.Packet.Retain && limits.RetainAvailable == false)
                    || (publication.Packet.Properties.TopicAlias ?? 0) > (limits.TopicAliasMaximum ?? 0)
                    || PacketEncoder.GetLength(publication.Packet, _version)
                        > (limits.MaximumPacketSizeBytes ?? uint.MaxValue)
            );
    }

    // "If a Server receives a CONNECT packet containing a Will QoS that exceeds its capabilities, it MUST reject the connection" (MQTT-3.2.2-12; of RETAIN: 3.2.2-13). The limit may be known from
    // another CONNACK; before the first, the reason is believed.
    private bool IsRefusedForWill(ConnectionState connection, ReasonCode reason) =>
        IsV5
        && connection.Connect?.Will is { } will
        && reason switch
        {
            ReasonCode.QosNotSupported => will.Qos > QualityOfService.AtMostOnce
                && (_limits is null || will.Qos > _limits.MaximumQos),
            ReasonCode.RetainNotSupported => will.Retain && (_limits is null || _limits.RetainAvailable == false),
            _ => false,
        };

    private void JudgeWillWithinLimits(ClientSession session, ConnectionState connection)
    {
        if (!IsV5 || connection.Connect!.Will is not { } will)
            return;
        var limits = connection.Connack!.Properties;
        if (limits is not { MaximumQos: not null } and not { RetainAvailable: false })
            return;
        Check(Statements.WillWithinLimits);
        if (will.Qos > (limits.MaximumQos ?? QualityOfService.ExactlyOnce))
            Deviate(
                Statements.WillWithinLimits,
                $"QoS {(int)will.Qos}",
                $"{Name(session)}'s CONNECT with a will of QoS {(int)will.Qos} is accepted; CONNACK announces Maximum QoS {(int)limits.MaximumQos!}"
            );
        else if (will.Retain && limits.RetainAvailable == false)
            Deviate(
                Statements.WillWithinLimits,
                "RETAIN",
                $"{Name(session)}'s CONNECT with a retained will is accepted; CONNACK says that nothing is retained"
            );
    }

    // "If the ClientID represents a Client already connected to the Server, the Server sends a DISCONNECT packet to the existing Client with Reason Code of 0x8E (Session taken over)" (MQTT-3.1.4-3).
    // The old connection may have been ended for something else at the same moment, and what was sent to it may be lost: it counts only if it comes every time.
    private void JudgeTold(ClientSession session, ConnectionState old)
    {
        if (
            !IsV5
            || !old.IsClosedByBroker
            || old
                is not {
                    IsAccepted: true,
                    Disconnected: false,
                    Defect: null,
                    IsMalformed: false,
                    AskedUnavailable: false,
                    WasSilent: false
                }
        )
            return;
        Check(Statements.TakeOverTold);
        if (old.ToldReason is not null)
            return;
        Deviate(
            Statements.TakeOverTold,
            "not told",
            $"{Name(session)}'s first connection is ended by its second one without DISCONNECT",
            mustRecur: true
        );
    }
}
