using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Fleets.Requests;

/// <summary>
/// The requests of a run's clients as bytes. They are written once, and only packet identifier and payload change per
/// message. A returned span is valid until the next call.
/// </summary>
internal sealed class RequestPackets
{
    // A message begins with the run's tag and its number, both big endian; the rest is filler.
    private const int NumberOffset = 4;
    private const int NumberedBytes = 12;
    private const byte Filler = (byte)'.';
    private const int AliasBytes = 3;

    // In MQTT 5 a session ends with its connection unless the client asks for more. This interval exceeds any wait, but
    // ends the sessions of a run that was killed.
    private static readonly PacketProperties Lasting = new() { SessionExpiryIntervalSeconds = 2 * 86_400 };

    private readonly ProtocolVersion _version;
    private readonly uint _tag;
    private readonly byte[][] _connect,
        _cleanConnect;
    private readonly GroupPackets[] _groups;
    private readonly byte[] _properties;
    private readonly byte[] _payload;
    private readonly byte[] _publish;
    private readonly bool _hasTemplates;

    /// <summary>Writes the requests of a valid setup.</summary>
    public RequestPackets(FleetSetup setup)
    {
        _version = setup.ProtocolVersion;
        Names = new(setup);
        _tag = TagOf(setup.Prefix);

        _connect = new byte[setup.Clients][];
        _cleanConnect = new byte[setup.Clients][];
        var idPrefix = setup.Prefix.Replace("/", "", StringComparison.Ordinal);
        var groups = setup.Population.Assign(setup.Clients).ToArray();
        for (var client = 0; client < setup.Clients; client++)
        {
            var packet = Connect(
                setup,
                string.Create(CultureInfo.InvariantCulture, $"{idPrefix}c{client}"),
                setup.Population.Groups[groups[client]].Profile,
                client
            );
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

        ConnectToClear = PacketEncoder.Encode(Connect(setup, idPrefix + "clear"), _version);
        _groups =
        [
            .. setup.Population.Groups.Select(
                (group, index) => new GroupPackets(group.Profile, Names, index, _version)
            ),
        ];
        _properties = new byte[_groups.Max(group => group.Properties.Length) + AliasBytes];

        _payload = new byte[setup.Population.Groups.Max(group => LargestPayload(group.Profile))];
        Array.Fill(_payload, Filler);
        _hasTemplates = setup.Population.Groups.Any(group => group.Profile.Payload is not null);
        LongestTopicBytes = Names.LongestBytes;
        _publish = new byte[
            PacketWriter.PublishLength(
                _version,
                LongestTopicBytes,
                _payload.Length,
                QualityOfService.ExactlyOnce,
                _properties.Length
            )
        ];
    }

    private int LongestTopicBytes { get; }

    /// <summary>The names of the topics.</summary>
    public FleetNames Names { get; }

    /// <summary>The topics of which the broker may keep a message.</summary>
    public SortedSet<int> RetainedTopics { get; } = [];

    /// <summary>The length of the longest PUBLISH of a profile.</summary>
    /// <param name="profile">The profile.</param>
    /// <param name="qos">The highest quality of service.</param>
    public int LongestPublish(UsageProfile profile, QualityOfService qos) =>
        PacketWriter.PublishLength(
            _version,
            LongestTopicBytes,
            LargestPayload(profile),
            qos,
            GroupPackets.PropertiesOf(profile).Length + (profile.TopicAliases > 0 ? AliasBytes : 0)
        );

    /// <summary>The subscriptions and properties of the clients of a group.</summary>
    /// <param name="group">Number of the group.</param>
    public GroupPackets OfGroup(int group) => _groups[group];

    /// <summary>CONNECT of the client that removes retained messages.</summary>
    public byte[] ConnectToClear { get; }

    /// <summary>PUBLISH that removes the kept message of a topic.</summary>
    public byte[] Clear(ReadOnlySpan<byte> topic)
    {
        var packet = new byte[PacketWriter.PublishLength(_version, topic.Length, 0, QualityOfService.AtMostOnce, 0)];
        var length = PacketWriter.WritePublish(
            packet,
            _version,
            topic,
            [],
            QualityOfService.AtMostOnce,
            retain: true,
            duplicate: false,
            packetId: 0
        );
        return packet[..length];
    }

    /// <summary>DISCONNECT without a will.</summary>
    public static ReadOnlySpan<byte> Disconnect => [0xE0, 0x00];

    /// <summary>CONNECT of a client, resuming its session or dropping it.</summary>
    public ReadOnlySpan<byte> Connect(int client, bool clean) => clean ? _cleanConnect[client] : _connect[client];

    /// <summary>PUBLISH of a numbered message.</summary>
    /// <param name="action">Topic, quality of service and size.</param>
    /// <param name="packetId">The packet identifier, not written at QoS 0.</param>
    /// <param name="number">The number of the message.</param>
    /// <param name="group">The properties and payload of publications of the client's group.</param>
    /// <param name="aliases">The topic aliases of the client's connection, or null.</param>
    public ReadOnlySpan<byte> Publish(
        in ClientAction action,
        ushort packetId,
        ulong number,
        GroupPackets group,
        TopicAliases? aliases
    )
    {
        var template = action.IsFirst ? null : group.Template;
        var payload = _payload.AsSpan(0, action.PayloadBytes);
        var text = action.IsFirst ? group.FirstText : null;
        if (text is not null)
        {
            text.CopyTo(payload);
        }
        else if (template is null)
        {
            BinaryPrimitives.WriteUInt32BigEndian(payload, _tag);
            BinaryPrimitives.WriteUInt64BigEndian(payload[NumberOffset..], number);
        }
        else
        {
            template.Write(payload, TimeProvider.System.GetUtcNow().ToUnixTimeMilliseconds(), _tag, number);
        }
        var topic = Names.Topic(action.Topic);
        ReadOnlySpan<byte> properties = group.Properties;
        if (aliases is not null && !action.IsFirst)
            Alias(aliases, action.Topic, ref topic, ref properties);
        var retain = action.IsFirst ? group.RetainsFirst : group.Retain;
        if (retain)
            RetainedTopics.Add(action.Topic);
        var length = PacketWriter.WritePublish(
            _publish,
            _version,
            topic,
            payload,
            action.Qos,
            retain,
            duplicate: false,
            packetId,
            properties
        );
        if (template is not null || text is not null)
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
        topic = -1;
        return TryReadNumber(payload, out number) && Names.TryFind(topicName, out topic);
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

    // Replaces the topic name by an alias, once the broker knows it.
    private void Alias(TopicAliases aliases, int topic, ref ReadOnlySpan<byte> name, ref ReadOnlySpan<byte> properties)
    {
        var (alias, isKnown) = aliases.Of(topic);
        if (alias == 0)
            return;
        properties.CopyTo(_properties);
        var property = _properties.AsSpan(properties.Length, AliasBytes);
        property[0] = (byte)PropertyId.TopicAlias;
        BinaryPrimitives.WriteUInt16BigEndian(property[1..], alias);
        properties = _properties.AsSpan(0, properties.Length + AliasBytes);
        if (isKnown)
            name = [];
    }

    private static ConnectPacket Connect(FleetSetup setup, string clientId, UsageProfile profile, int client)
    {
        var packet = Connect(setup, clientId) with { KeepAliveSeconds = (ushort)profile.KeepAliveSeconds };
        if (profile.Will is not { } will)
            return packet;
        return packet with
        {
            Will = new(
                FleetNames.WillTopic(setup, will, client),
                new Bytes(Encoding.UTF8.GetBytes(will.Payload)),
                will.Qos,
                will.Retain
            ),
        };
    }

    private static int LargestPayload(UsageProfile profile) =>
        Math.Max(profile.MaximumPayloadBytes, profile.AfterConnect?.Bytes ?? 0);

    private static ConnectPacket Connect(FleetSetup setup, string clientId) =>
        new()
        {
            ProtocolVersion = setup.ProtocolVersion,
            ClientId = clientId,
            CleanStart = true,
            // There is no keep alive by default, because pings would be load that no profile asks for. The fleet has
            // its own deadlines.
            KeepAliveSeconds = 0,
            UserName = setup.Credentials?.UserName,
            Password = setup.Credentials is { } credentials
                ? new Bytes(Encoding.UTF8.GetBytes(credentials.Password))
                : default(Bytes?),
        };

    // FNV-1a spreads prefixes that differ in one character over all 32 bits.
    private static uint TagOf(string prefix)
    {
        var hash = 2166136261;
        foreach (var c in prefix)
            hash = (hash ^ c) * 16777619;
        return hash;
    }
}
