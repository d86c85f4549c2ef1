using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Protocol;

/// <summary>
/// FsCheck generators of legal packets: every kind, every property, long and empty fields, characters of one to four
/// bytes.
/// </summary>
internal static class PacketGenerators
{
    private static readonly Gen<ushort> UInt16 = Gen.OneOf(
        Gen.Elements<ushort>(0, 1, 255, 256, 65535),
        Gen.Choose(0, 65535).Select(n => (ushort)n)
    );
    private static readonly Gen<ushort> Positive16 = UInt16.Select(n => Math.Max((ushort)1, n));
    private static readonly Gen<uint> UInt32 = Gen.OneOf(
        Gen.Elements(0u, 1u, 0x7FFF_FFFFu, 0x8000_0000u, uint.MaxValue),
        Gen.Choose(0, int.MaxValue).Select(n => (uint)n)
    );
    private static readonly Gen<bool> Flag = Gen.Elements(false, true);

    private static readonly Gen<QualityOfService> Qos = Gen.Elements(
        QualityOfService.AtMostOnce,
        QualityOfService.AtLeastOnce,
        QualityOfService.ExactlyOnce
    );

    // Every length of UTF-8, the byte order mark, non-characters, control characters; never U+0000 and surrogates
    // alone.
    private static readonly Gen<string> Character = Gen.Frequency(
        (8, Gen.Choose('!', '~').Select(c => ((char)c).ToString())),
        (
            1,
            Gen.Elements(
                "\u0001",
                "\u007F",
                "\u0080",
                "\u07FF",
                "\u0800",
                "\uFEFF",
                "\uFFFF",
                "ä",
                "€",
                "𝄞",
                char.ConvertFromUtf32(0x10FFFF)
            )
        )
    );

    private static readonly Gen<string> Text = Gen.Frequency(
        (1, Gen.Constant("")),
        (8, Strings(Character, 12)),
        (1, Strings(Character, 300))
    );

    private static readonly Gen<Bytes> Binary = Gen.Frequency(
        (1, Gen.Constant(Bytes.Empty)),
        (8, Gen.Choose(0, 20).SelectMany(n => Gen.Choose(0, 255).ArrayOf(n)).Select(ToBytes)),
        (1, Gen.Choose(100, 400).SelectMany(n => Gen.Choose(0, 255).ArrayOf(n)).Select(ToBytes))
    );

    /// <summary>Levels of topic names: few different ones, so that filters and topics meet.</summary>
    internal static readonly Gen<string> Level = Gen.Frequency(
        (6, Gen.Elements("a", "b", "c", "aa")),
        (1, Gen.Elements("", "ä", "$a", " ", "$share")),
        (1, Strings(Character, 5).Select(s => new string([.. s.Where(c => c is not ('+' or '#' or '/'))])))
    );

    /// <summary>Topic names of one to five levels.</summary>
    internal static readonly Gen<string> Topic = Levels(Level);

    /// <summary>Topic filters of one to five levels, not shared.</summary>
    internal static readonly Gen<string> Filter =
        from start in Levels(Gen.Frequency((3, Level), (1, Gen.Constant("+"))))
        from end in Gen.Frequency((3, Gen.Constant("")), (1, Gen.Constant("/#")), (1, Gen.Constant("#")))
        let filter = end == "#" ? "#" : start + end
        // A filter that looks like a shared subscription must be one.
        where !filter.StartsWith("$share/", StringComparison.Ordinal)
        select filter;

    private static readonly Gen<Setter> UserProperties =
        from count in Gen.Choose(1, 4)
        from pairs in Text.Two().ArrayOf(count)
        select new Setter(p =>
            p with
            {
                UserProperties = [.. pairs.Select(pair => new UserProperty(pair.Item1, pair.Item2))],
            }
        );

    private static readonly Gen<Setter> Reason = Set(Text, (p, v) => p with { ReasonString = v });

    private static readonly Gen<Setter>[] MessageProperties =
    [
        Set(Gen.Elements(PayloadFormat.Bytes, PayloadFormat.Utf8), (p, v) => p with { PayloadFormatIndicator = v }),
        Set(UInt32, (p, v) => p with { MessageExpiryIntervalSeconds = v }),
        Set(Text, (p, v) => p with { ContentType = v }),
        Set(Topic, (p, v) => p with { ResponseTopic = v }),
        Set(Binary, (p, v) => p with { CorrelationData = v }),
        UserProperties,
    ];

    private static readonly Gen<Setter> Authentication =
        from method in Text
        from data in Maybe(Binary)
        select new Setter(p => p with { AuthenticationMethod = method, AuthenticationData = data });

    private static readonly Gen<PacketProperties> WillProperties = Properties([
        .. MessageProperties,
        Set(UInt32, (p, v) => p with { WillDelayIntervalSeconds = v }),
    ]);

    private static readonly Gen<PacketProperties> PublishProperties = Properties([
        .. MessageProperties,
        Set(Positive16, (p, v) => p with { TopicAlias = v }),
        Set(
            Gen.Choose(1, 5)
                .SelectMany(n =>
                    Gen.Elements(1u, 127u, 128u, 16383u, 16384u, 2097151u, 2097152u, 268435455u).ArrayOf(n)
                ),
            (p, v) => p with { SubscriptionIdentifiers = [.. v] }
        ),
    ]);

    private static readonly Gen<PacketProperties> ConnectProperties = Properties([
        Set(UInt32, (p, v) => p with { SessionExpiryIntervalSeconds = v }),
        Set(Positive16, (p, v) => p with { ReceiveMaximum = v }),
        Set(UInt32.Where(n => n > 0), (p, v) => p with { MaximumPacketSizeBytes = v }),
        Set(UInt16, (p, v) => p with { TopicAliasMaximum = v }),
        Set(Flag, (p, v) => p with { RequestResponseInformation = v }),
        Set(Flag, (p, v) => p with { RequestProblemInformation = v }),
        Authentication,
        UserProperties,
    ]);

    private static readonly Gen<PacketProperties> ConnackProperties = Properties([
        Set(UInt32, (p, v) => p with { SessionExpiryIntervalSeconds = v }),
        Set(Positive16, (p, v) => p with { ReceiveMaximum = v }),
        Set(
            Gen.Elements(QualityOfService.AtMostOnce, QualityOfService.AtLeastOnce),
            (p, v) => p with { MaximumQos = v }
        ),
        Set(Flag, (p, v) => p with { RetainAvailable = v }),
        Set(UInt32.Where(n => n > 0), (p, v) => p with { MaximumPacketSizeBytes = v }),
        Set(Text, (p, v) => p with { AssignedClientIdentifier = v }),
        Set(UInt16, (p, v) => p with { TopicAliasMaximum = v }),
        Set(Flag, (p, v) => p with { WildcardSubscriptionAvailable = v }),
        Set(Flag, (p, v) => p with { SubscriptionIdentifierAvailable = v }),
        Set(Flag, (p, v) => p with { SharedSubscriptionAvailable = v }),
        Set(UInt16, (p, v) => p with { ServerKeepAliveSeconds = v }),
        Set(Text, (p, v) => p with { ResponseInformation = v }),
        Set(Text, (p, v) => p with { ServerReference = v }),
        Authentication,
        Reason,
        UserProperties,
    ]);

    private static readonly Gen<PacketProperties> AckProperties = Properties([Reason, UserProperties]);

    private static readonly Gen<PacketProperties> DisconnectProperties = Properties([
        Reason,
        UserProperties,
        Set(UInt32, (p, v) => p with { SessionExpiryIntervalSeconds = v }),
        Set(Text, (p, v) => p with { ServerReference = v }),
    ]);

    private delegate PacketProperties Setter(PacketProperties properties);

    /// <summary>A legal packet of a version.</summary>
    /// <param name="version">3.1.1 or 5.</param>
    internal static Gen<Packet> Packet(ProtocolVersion version) =>
        version >= ProtocolVersion.V5 ? PacketOf5 : PacketOf311;

    private static Gen<Packet> PacketOf5 =>
        Gen.OneOf(
            Connect(ProtocolVersion.V5),
            from code in Code(PacketType.Connack)
            from present in Flag
            from properties in ConnackProperties
            select (Packet)new ConnackPacket(present && code == ReasonCode.Success, code) { Properties = properties },
            Publish(PublishProperties),
            from id in Positive16
            from code in Code(PacketType.Puback)
            from properties in AckProperties
            from received in Flag
            select received
                ? (Packet)new PubrecPacket(id, code) { Properties = properties }
                : new PubackPacket(id, code) { Properties = properties },
            from id in Positive16
            from code in Code(PacketType.Pubrel)
            from properties in AckProperties
            from complete in Flag
            select complete
                ? (Packet)new PubcompPacket(id, code) { Properties = properties }
                : new PubrelPacket(id, code) { Properties = properties },
            from id in Positive16
            from requests in ListOf(Gen.OneOf(Request(Filter, shared: false), Request(SharedFilter, shared: true)))
            from identifier in Maybe(Gen.Choose(1, VariableByteInteger.MaxValue))
            from properties in Properties([UserProperties])
            select (Packet)
                new SubscribePacket(id, requests)
                {
                    Properties = identifier is { } number
                        ? properties with
                        {
                            SubscriptionIdentifiers = [(uint)number],
                        }
                        : properties,
                },
            from id in Positive16
            from codes in ListOf(Code(PacketType.Suback))
            from properties in AckProperties
            select (Packet)new SubackPacket(id, codes) { Properties = properties },
            from id in Positive16
            from filters in ListOf(Gen.OneOf(Filter, SharedFilter))
            from properties in Properties([UserProperties])
            select (Packet)new UnsubscribePacket(id, filters) { Properties = properties },
            from id in Positive16
            from codes in ListOf(Code(PacketType.Unsuback))
            from properties in AckProperties
            select (Packet)new UnsubackPacket(id, codes) { Properties = properties },
            Gen.Elements<Packet>(new PingreqPacket(), new PingrespPacket()),
            from code in Code(PacketType.Disconnect)
            from properties in DisconnectProperties
            select (Packet)new DisconnectPacket(code) { Properties = properties },
            from code in Code(PacketType.Auth)
            from method in Authentication
            from properties in AckProperties
            select (Packet)new AuthPacket(code) { Properties = method(properties) }
        );

    private static Gen<Packet> PacketOf311 =>
        Gen.OneOf(
            Connect(ProtocolVersion.V311),
            Connect(ProtocolVersion.V31),
            from code in Gen.Elements(Enum.GetValues<ConnectReturnCode>())
            from present in Flag
            select (Packet)
                new ConnackPacket(present && code == ConnectReturnCode.Accepted, ConnectReturnCodes.ToReasonCode(code)),
            Publish(Gen.Constant(PacketProperties.Empty)),
            Positive16.SelectMany(id =>
                Gen.Elements<Packet>(
                    new PubackPacket(id),
                    new PubrecPacket(id),
                    new PubrelPacket(id),
                    new PubcompPacket(id),
                    new UnsubackPacket(id)
                )
            ),
            from id in Positive16
            from requests in ListOf(from filter in Filter from qos in Qos select new SubscriptionRequest(filter, qos))
            select (Packet)new SubscribePacket(id, requests),
            from id in Positive16
            from codes in ListOf(
                Gen.Elements(
                    ReasonCode.Success,
                    ReasonCode.GrantedQos1,
                    ReasonCode.GrantedQos2,
                    ReasonCode.UnspecifiedError
                )
            )
            select (Packet)new SubackPacket(id, codes),
            from id in Positive16
            from filters in ListOf(Filter)
            select (Packet)new UnsubscribePacket(id, filters),
            Gen.Elements<Packet>(new PingreqPacket(), new PingrespPacket(), new DisconnectPacket())
        );

    private static Gen<string> SharedFilter =>
        from name in Strings(Character.Where(c => c is not ("+" or "#" or "/")), 5)
        from filter in Filter
        select $"$share/{name}/{filter}";

    private static Gen<Packet> Connect(ProtocolVersion version) =>
        from clean in Flag
        from keepAlive in UInt16
        from clientId in Text
        from will in Gen.OneOf(Gen.Constant<WillMessage?>(null), Will(version))
        from userName in Maybe(Text, absent: null)
        from password in Maybe(Binary)
        from properties in version >= ProtocolVersion.V5 ? ConnectProperties : Gen.Constant(PacketProperties.Empty)
        let isV5 = version >= ProtocolVersion.V5
        select (Packet)
            new ConnectPacket
            {
                ProtocolVersion = version,
                ProtocolName = version == ProtocolVersion.V31 ? "MQIsdp" : "MQTT",
                CleanStart = clean,
                KeepAliveSeconds = keepAlive,
                ClientId = clientId.Length == 0 && !clean && !isV5 ? "c" : clientId,
                Will = will,
                UserName = userName,
                Password = userName is null && !isV5 ? null : password,
                Properties = properties,
            };

    private static Gen<WillMessage?> Will(ProtocolVersion version) =>
        from topic in Topic
        from payload in Binary
        from qos in Qos
        from retain in Flag
        from properties in version >= ProtocolVersion.V5 ? WillProperties : Gen.Constant(PacketProperties.Empty)
        select new WillMessage(topic, payload, qos, retain) { Properties = properties };

    private static Gen<Packet> Publish(Gen<PacketProperties> propertiesGen) =>
        from topic in Topic
        from payload in Binary
        from qos in Qos
        from retain in Flag
        from duplicate in Flag
        from packetId in Positive16
        from properties in propertiesGen
        from byAlias in Flag
        select (Packet)
            new PublishPacket
            {
                Topic = byAlias && properties.TopicAlias is not null ? "" : topic,
                Payload = payload,
                Qos = qos,
                Retain = retain,
                Duplicate = duplicate && qos != QualityOfService.AtMostOnce,
                PacketId = qos == QualityOfService.AtMostOnce ? (ushort)0 : packetId,
                Properties = properties,
            };

    private static Gen<SubscriptionRequest> Request(Gen<string> filters, bool shared) =>
        from filter in filters
        from qos in Qos
        from noLocal in Flag
        from asPublished in Flag
        from handling in Gen.Elements(RetainHandling.Send, RetainHandling.SendIfNew, RetainHandling.DoNotSend)
        select new SubscriptionRequest(filter, qos, noLocal && !shared, asPublished, handling);

    private static Gen<ReasonCode> Code(PacketType type) =>
        Gen.Frequency((1, Gen.Constant(AllCodes(type)[0])), (2, Gen.Elements(AllCodes(type))));

    private static ReasonCode[] AllCodes(PacketType type) =>
        [.. Enum.GetValues<ReasonCode>().Where(code => code.IsAllowedIn(type))];

    private static Gen<PacketProperties> Properties(Gen<Setter>[] candidates) =>
        Gen.Frequency(
            (1, Gen.Constant(PacketProperties.Empty)),
            (
                3,
                candidates.Aggregate(
                    Gen.Constant(PacketProperties.Empty),
                    (generator, candidate) =>
                        from properties in generator
                        from present in Flag
                        from set in candidate
                        select present ? set(properties) : properties
                )
            )
        );

    private static Gen<Setter> Set<T>(Gen<T> values, Func<PacketProperties, T, PacketProperties> set) =>
        values.Select(value => new Setter(properties => set(properties, value)));

    private static Gen<string> Levels(Gen<string> level) =>
        from count in Gen.Choose(1, 5)
        from levels in level.ArrayOf(count)
        let topic = string.Join('/', levels)
        select topic.Length == 0 ? "a" : topic;

    private static Gen<ValueList<T>> ListOf<T>(Gen<T> items) =>
        Gen.Choose(1, 5).SelectMany(items.ArrayOf).Select(array => ValueList.Create<T>(array));

    private static Gen<T?> Maybe<T>(Gen<T> values)
        where T : struct => Gen.OneOf(Gen.Constant<T?>(null), values.Select(value => (T?)value));

    private static Gen<string?> Maybe(Gen<string> values, string? absent) =>
        Gen.OneOf(Gen.Constant(absent), values.Select(value => (string?)value));

    private static Gen<string> Strings(Gen<string> characters, int longest) =>
        Gen.Choose(1, longest).SelectMany(characters.ArrayOf).Select(string.Concat);

    private static Bytes ToBytes(int[] numbers) => numbers.Select(number => (byte)number).ToArray();
}
