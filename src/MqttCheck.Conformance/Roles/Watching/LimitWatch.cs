using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>Watches whether a client keeps to the limits of CONNACK, and how it uses topic aliases.</summary>
internal sealed class LimitWatch(ClientJudgements judgements)
{
    public void Sent(WatchedConnection connection, TraceEntry entry)
    {
        if (!connection.IsV5 || connection.Connack?.Properties is not { } limits || connection.IsEager)
            return;
        // The standard does not say what becomes of a message that is under way when a limit falls.
        if (entry.Packet is PublishPacket { Duplicate: true })
            return;
        if (limits.MaximumPacketSizeBytes is { } most)
            judgements.Demand(
                entry.Raw.Length <= most,
                ClientStatements.MaximumPacketSize,
                entry.Packet is null ? "" : Wording.Packet(entry.Packet.Type),
                Invariant($"a packet of {entry.Raw.Length} bytes, and the server takes {most}")
            );
        if (entry.Packet is PublishPacket publish)
            Published(connection, publish, limits);
    }

    private void Published(WatchedConnection connection, PublishPacket publish, PacketProperties limits)
    {
        if (limits.MaximumQos is { } qos)
            judgements.Demand(
                publish.Qos <= qos,
                ClientStatements.MaximumQos,
                "",
                Invariant($"PUBLISH of QoS {(int)publish.Qos}, and the server takes {(int)qos}")
            );
        if (limits.RetainAvailable == false)
            judgements.Demand(
                !publish.Retain,
                ClientStatements.RetainAvailable,
                "",
                "PUBLISH with RETAIN, and the server retains nothing"
            );
        var maximum = limits.TopicAliasMaximum ?? 0;
        if (publish.Properties.TopicAlias is { } alias)
        {
            judgements.Demand(
                alias <= maximum,
                maximum == 0 ? ClientStatements.AliasOffered : ClientStatements.AliasMaximum,
                "",
                Invariant($"topic alias {alias}, and the server's maximum is {maximum}")
            );
            judgements.Demand(
                publish.Topic.Length > 0 || connection.Aliases.Contains(alias),
                ClientStatements.AliasOfConnection,
                "",
                Invariant($"topic alias {alias} stands for no topic on this connection")
            );
            connection.Aliases.Add(alias);
        }
    }
}
