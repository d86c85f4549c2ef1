using System.Buffers.Binary;
using System.Text;
using MqttCheck.Clients;
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
    private readonly byte[][] _unsubscribe = [];
    private readonly byte[][] _subscribe = [];
    private readonly int _first;

    /// <summary>Writes the packets of a group.</summary>
    /// <param name="profile">The profile of its clients.</param>
    /// <param name="names">The names of topics and filters.</param>
    /// <param name="group">Number of the group.</param>
    /// <param name="version">The protocol spoken.</param>
    public GroupPackets(UsageProfile profile, FleetNames names, int group, ProtocolVersion version)
    {
        (Template, Retain) = (profile.Payload, profile.Retain);
        RetainsFirst = profile.AfterConnect is { Retain: true };
        FirstText = profile.AfterConnect?.Payload is { } text ? Encoding.UTF8.GetBytes(text) : null;
        if (version >= ProtocolVersion.V5)
            Properties = PropertiesOf(profile);
        Disconnect = profile.Will is { OnDisconnect: true }
            ? PacketEncoder.Encode(new DisconnectPacket(ReasonCode.DisconnectWithWill), version)
            : RequestPackets.Disconnect.ToArray();
        if (!profile.Sends(MessageKind.Subscribe))
            return;
        var share = profile.ShareName is { } name ? $"$share/{name}/" : "";
        var qos = profile.SubscriptionQos ?? profile.Qos;
        _first = names.Space.OfGroup(group).Subscribe;
        string[] filters =
        [
            .. Enumerable.Range(_first, names.Space.SubscribedBy(group)).Select(number => share + names.Full(number)),
        ];
        _unsubscribe = Array.ConvertAll(
            filters,
            filter => PacketEncoder.Encode(new UnsubscribePacket(1, [filter]), version)
        );
        _subscribe = Array.ConvertAll(
            filters,
            filter => PacketEncoder.Encode(new SubscribePacket(1, [new(filter, qos)]), version)
        );
    }

    /// <summary>The text of payloads, or null for the number and filler.</summary>
    public PayloadTemplate? Template { get; }

    /// <summary>Whether publications are kept for later subscribers.</summary>
    public bool Retain { get; }

    /// <summary>The text of the message after connecting, or null for the number and filler.</summary>
    public byte[]? FirstText { get; }

    /// <summary>Whether the message after connecting is kept for later subscribers.</summary>
    public bool RetainsFirst { get; }

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

    /// <summary>SUBSCRIBE to one topic or filter.</summary>
    public ReadOnlySpan<byte> Subscribe(int number, ushort packetId) => WithId(_subscribe[number - _first], packetId);

    /// <summary>UNSUBSCRIBE from one topic or filter.</summary>
    public ReadOnlySpan<byte> Unsubscribe(int number, ushort packetId) =>
        WithId(_unsubscribe[number - _first], packetId);

    private static Span<byte> WithId(byte[] packet, ushort packetId)
    {
        // The identifier follows the fixed header: one byte, and a length of one byte below 128.
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(packet[1] < 0x80 ? 2 : 3), packetId);
        return packet;
    }
}
