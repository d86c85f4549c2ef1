using System.Buffers.Binary;
using System.Text;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Fleets.Requests;

/// <summary>
/// The subscriptions of the clients of one group, and the properties of their publications. A returned span is valid
/// until the next call.
/// </summary>
internal sealed class GroupPackets
{
    private readonly byte[][] _unsubscribe;
    private readonly byte[][][] _subscribe;

    /// <summary>Writes the packets of a group.</summary>
    /// <param name="profile">The profile of its clients.</param>
    /// <param name="topics">The names of the topics in UTF-8.</param>
    /// <param name="version">The protocol spoken.</param>
    public GroupPackets(UsageProfile profile, byte[][] topics, ProtocolVersion version)
    {
        (Template, Retain) = (profile.Payload, profile.Retain);
        if (version >= ProtocolVersion.V5)
            Properties = PropertiesOf(profile);
        Disconnect = profile.Will is { OnDisconnect: true }
            ? PacketEncoder.Encode(new DisconnectPacket(ReasonCode.DisconnectWithWill), version)
            : RequestPackets.Disconnect.ToArray();
        var share = profile.ShareName is { } name ? $"$share/{name}/" : "";
        var filters = Array.ConvertAll(topics, topic => share + Encoding.UTF8.GetString(topic));
        _unsubscribe = Array.ConvertAll(
            filters,
            filter => PacketEncoder.Encode(new UnsubscribePacket(1, [filter]), version)
        );
        _subscribe =
        [
            .. Enum.GetValues<QualityOfService>()
                .Select(qos =>
                    Array.ConvertAll(
                        filters,
                        filter => PacketEncoder.Encode(new SubscribePacket(1, [new(filter, qos)]), version)
                    )
                ),
        ];
    }

    /// <summary>The text of payloads, or null for the number and filler.</summary>
    public PayloadTemplate? Template { get; }

    /// <summary>Whether publications are kept for later subscribers.</summary>
    public bool Retain { get; }

    /// <summary>The encoded properties of publications, without their length and without a topic alias.</summary>
    public byte[] Properties { get; } = [];

    /// <summary>The encoded properties of a profile's publications.</summary>
    /// <param name="profile">The profile.</param>
    public static byte[] PropertiesOf(UsageProfile profile) =>
        PacketEncoder.EncodeProperties(
            new()
            {
                MessageExpiryIntervalSeconds = (uint?)profile.MessageExpirySeconds,
                UserProperties = profile.UserProperties,
            }
        );

    /// <summary>DISCONNECT, which asks for the will where the profile says so.</summary>
    public byte[] Disconnect { get; }

    /// <summary>SUBSCRIBE to one topic.</summary>
    public ReadOnlySpan<byte> Subscribe(int topic, QualityOfService qos, ushort packetId) =>
        WithId(_subscribe[(int)qos][topic], packetId);

    /// <summary>UNSUBSCRIBE from one topic.</summary>
    public ReadOnlySpan<byte> Unsubscribe(int topic, ushort packetId) => WithId(_unsubscribe[topic], packetId);

    private static Span<byte> WithId(byte[] packet, ushort packetId)
    {
        // The identifier follows the fixed header: one byte, and a length of one byte below 128.
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(packet[1] < 0x80 ? 2 : 3), packetId);
        return packet;
    }
}
