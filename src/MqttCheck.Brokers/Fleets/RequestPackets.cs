using System.Buffers.Binary;
using System.Buffers.Text;
using System.Globalization;
using System.Text;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// The requests of a run's clients as bytes: written once, and only their packet identifier and payload changed per
/// message. A returned span is valid until the next call.
/// </summary>
internal sealed class RequestPackets
{
    // A message begins with the run's tag and its number, both big endian; the rest is filler.
    private const int NumberOffset = 4;
    private const int NumberedBytes = 12;
    private const byte Filler = (byte)'.';

    // In MQTT 5 a session ends with its connection unless the client asks for more: longer than any wait, and not
    // forever, should a run be killed.
    private static readonly PacketProperties Lasting = new() { SessionExpiryIntervalSeconds = 2 * 86_400 };

    private readonly ProtocolVersion _version;
    private readonly int _numberAt;
    private readonly uint _tag;
    private readonly byte[][] _connect,
        _cleanConnect;
    private readonly byte[][] _topics;
    private readonly byte[][] _unsubscribe;
    private readonly byte[][][] _subscribe;
    private readonly byte[] _payload;
    private readonly byte[] _publish;
    private readonly TimeProvider _time = TimeProvider.System;
    private readonly bool _hasTemplates;

    /// <summary>Writes the requests of a valid setup.</summary>
    public RequestPackets(FleetSetup setup)
    {
        _version = setup.ProtocolVersion;
        var pattern = setup.Population.Groups[0].Profile.TopicName;
        _numberAt = setup.Prefix.Length + pattern.IndexOf(UsageProfile.TopicField, StringComparison.Ordinal);
        _tag = TagOf(setup.Prefix);

        _connect = new byte[setup.Clients][];
        _cleanConnect = new byte[setup.Clients][];
        var idPrefix = setup.Prefix.Replace("/", "", StringComparison.Ordinal);
        for (var client = 0; client < setup.Clients; client++)
        {
            var packet = Connect(setup, string.Create(CultureInfo.InvariantCulture, $"{idPrefix}c{client}"));
            _cleanConnect[client] = PacketEncoder.Encode(packet, _version);
            _connect[client] = PacketEncoder.Encode(
                packet with
                {
                    CleanStart = false,
                    Properties = _version >= ProtocolVersion.V5 ? Lasting : PacketProperties.Empty,
                },
                _version
            );
        }

        var topics = setup.Population.Topics;
        _topics = new byte[topics][];
        _unsubscribe = new byte[topics][];
        _subscribe = [new byte[topics][], new byte[topics][], new byte[topics][]];
        for (var topic = 0; topic < topics; topic++)
        {
            var name =
                setup.Prefix
                + pattern.Replace(
                    UsageProfile.TopicField,
                    topic.ToString(CultureInfo.InvariantCulture),
                    StringComparison.Ordinal
                );
            _topics[topic] = Encoding.UTF8.GetBytes(name);
            _unsubscribe[topic] = PacketEncoder.Encode(new UnsubscribePacket(1, [name]), _version);
            for (var qos = 0; qos < _subscribe.Length; qos++)
                _subscribe[qos][topic] = PacketEncoder.Encode(
                    new SubscribePacket(1, [new(name, (QualityOfService)qos)]),
                    _version
                );
        }

        _payload = new byte[setup.Population.Groups.Max(group => group.Profile.MaximumPayloadBytes)];
        Array.Fill(_payload, Filler);
        _hasTemplates = setup.Population.Groups.Any(group => group.Profile.Payload is not null);
        LongestTopicBytes = _topics.Max(topic => topic.Length);
        _publish = new byte[
            PacketWriter.PublishLength(_version, LongestTopicBytes, _payload.Length, QualityOfService.ExactlyOnce)
        ];
    }

    /// <summary>The length of the longest topic name.</summary>
    public int LongestTopicBytes { get; }

    /// <summary>DISCONNECT.</summary>
    public static ReadOnlySpan<byte> Disconnect => [0xE0, 0x00];

    /// <summary>CONNECT of a client, resuming its session or dropping it.</summary>
    public ReadOnlySpan<byte> Connect(int client, bool clean) => clean ? _cleanConnect[client] : _connect[client];

    /// <summary>The name of a topic in UTF-8.</summary>
    public ReadOnlySpan<byte> Topic(int topic) => _topics[topic];

    /// <summary>SUBSCRIBE to one topic.</summary>
    public ReadOnlySpan<byte> Subscribe(int topic, QualityOfService qos, ushort packetId) =>
        WithId(_subscribe[(int)qos][topic], packetId);

    /// <summary>UNSUBSCRIBE from one topic.</summary>
    public ReadOnlySpan<byte> Unsubscribe(int topic, ushort packetId) => WithId(_unsubscribe[topic], packetId);

    /// <summary>PUBLISH of a numbered message.</summary>
    /// <param name="action">Topic, quality of service and size.</param>
    /// <param name="packetId">The packet identifier, not written at QoS 0.</param>
    /// <param name="number">The number of the message.</param>
    /// <param name="template">The text of the payload, or null for the number and filler.</param>
    public ReadOnlySpan<byte> Publish(in ClientAction action, ushort packetId, ulong number, PayloadTemplate? template)
    {
        var payload = _payload.AsSpan(0, action.PayloadBytes);
        if (template is null)
        {
            BinaryPrimitives.WriteUInt32BigEndian(payload, _tag);
            BinaryPrimitives.WriteUInt64BigEndian(payload[NumberOffset..], number);
        }
        else
        {
            template.Write(payload, _time.GetUtcNow().ToUnixTimeMilliseconds(), _tag, number);
        }
        var length = PacketWriter.WritePublish(
            _publish,
            _version,
            _topics[action.Topic],
            payload,
            action.Qos,
            retain: false,
            duplicate: false,
            packetId
        );
        if (template is not null)
            payload.Fill(Filler);
        return _publish.AsSpan(0, length);
    }

    /// <summary>Recognises a message of this run.</summary>
    /// <param name="topicName">The topic it came on.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="topic">Index of the topic.</param>
    /// <param name="number">The number of the message.</param>
    /// <returns>Whether topic and tag are this run's.</returns>
    public bool TryRead(ReadOnlySpan<byte> topicName, ReadOnlySpan<byte> payload, out int topic, out ulong number)
    {
        (topic, number) = (-1, 0);
        if (topicName.Length <= _numberAt || !TryReadNumber(payload, out number))
            return false;
        if (!Utf8Parser.TryParse(topicName[_numberAt..], out topic, out _) || topic < 0 || topic >= _topics.Length)
            return false;
        return topicName.SequenceEqual(_topics[topic]);
    }

    private bool TryReadNumber(ReadOnlySpan<byte> payload, out ulong number)
    {
        if (payload.Length >= NumberedBytes && BinaryPrimitives.ReadUInt32BigEndian(payload) == _tag)
        {
            number = BinaryPrimitives.ReadUInt64BigEndian(payload[NumberOffset..]);
            return true;
        }
        number = 0;
        return _hasTemplates && PayloadTemplate.TryRead(payload, _tag, out number);
    }

    private static ConnectPacket Connect(FleetSetup setup, string clientId) =>
        new()
        {
            ProtocolVersion = setup.ProtocolVersion,
            ClientId = clientId,
            CleanStart = true,
            // No keep alive: its pings would be load that no profile asks for, and the fleet has deadlines of its own.
            KeepAliveSeconds = 0,
            UserName = setup.Credentials?.UserName,
            Password = setup.Credentials is { } credentials
                ? new Bytes(Encoding.UTF8.GetBytes(credentials.Password))
                : default(Bytes?),
        };

    private static Span<byte> WithId(byte[] packet, ushort packetId)
    {
        // The identifier follows the fixed header: one byte, and a length of one byte below 128.
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(packet[1] < 0x80 ? 2 : 3), packetId);
        return packet;
    }

    // FNV-1a: spreads prefixes that differ in one character over all 32 bits.
    private static uint TagOf(string prefix)
    {
        var hash = 2166136261;
        foreach (var c in prefix)
            hash = (hash ^ c) * 16777619;
        return hash;
    }
}
