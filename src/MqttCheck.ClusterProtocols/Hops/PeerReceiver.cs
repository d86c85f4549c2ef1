using System.Diagnostics;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>
/// The receiving half of a link without bytes: the part of an MQTT server that a hop needs. A node that serves bytes
/// leaves this to the broker's core.
/// </summary>
internal sealed class PeerReceiver
{
    private readonly HashSet<ushort> _received = [];
    private bool _hasSession;

    /// <summary>Whether the present connection was accepted.</summary>
    public bool IsConnected { get; private set; }

    /// <summary>The process has ended or begins: it knows no session.</summary>
    public void Reset()
    {
        _received.Clear();
        (_hasSession, IsConnected) = (false, false);
    }

    /// <summary>The connection is closed; the session is kept.</summary>
    public void Closed() => IsConnected = false;

    /// <summary>A packet has come.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="answer">The packet that goes back, if <paramref name="answers"/>.</param>
    /// <param name="answers">Whether something goes back.</param>
    /// <returns>Whether the packet is a PUBLISH whose message is new, or a PINGREQ with one inside.</returns>
    public bool Receive(in HopPacket packet, out HopPacket answer, out bool answers)
    {
        answer = default;
        answers = true;
        switch (packet.Kind)
        {
            case HopPacketKind.Connect:
                if (packet.Flag)
                    _received.Clear();
                answer = new HopPacket { Kind = HopPacketKind.Connack, Flag = _hasSession && !packet.Flag };
                (_hasSession, IsConnected) = (true, true);
                return false;
            case HopPacketKind.Publish when packet.Qos == QualityOfService.ExactlyOnce:
                answer = HopPacket.Of(HopPacketKind.Pubrec, packet.PacketId);
                return _received.Add(packet.PacketId);
            case HopPacketKind.Publish:
                answer = HopPacket.Of(HopPacketKind.Puback, packet.PacketId);
                answers = packet.Qos == QualityOfService.AtLeastOnce;
                return true;
            case HopPacketKind.Pubrel:
                _received.Remove(packet.PacketId);
                answer = HopPacket.Of(HopPacketKind.Pubcomp, packet.PacketId);
                return false;
            case HopPacketKind.Pingreq:
                answer = HopPacket.Of(HopPacketKind.Pingresp);
                return packet.HasStatement;
            case HopPacketKind.Connack
            or HopPacketKind.Puback
            or HopPacketKind.Pubrec
            or HopPacketKind.Pubcomp
            or HopPacketKind.Pingresp:
                answers = false;
                return false;
            default:
                throw new UnreachableException();
        }
    }
}
