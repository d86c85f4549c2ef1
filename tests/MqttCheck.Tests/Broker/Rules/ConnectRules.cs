using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Rules;

/// <summary>Who is let in, and how the others are turned away.</summary>
public sealed class ConnectRules
{
    internal static readonly RuleCheck[] Table =
    [
        new(
            "CON-1",
            "3.1.0-1",
            "3.1.0-1",
            "anything before CONNECT closes the connection",
            version =>
            {
                var client = new BrokerBench().Open(version);
                client.Send(new PingreqPacket());
                client.AssertClosedFor(ReasonCode.ProtocolError);
            }
        ),
        new(
            "CON-1",
            "3.1.0-1",
            "3.1.0-1",
            "a connection without CONNECT is closed after a while",
            version =>
            {
                var bench = new BrokerBench(
                    new BrokerOptions { Limits = new BrokerLimits { ConnectTimeout = TimeSpan.FromSeconds(3) } }
                );
                var client = bench.Open(version);
                bench.Pass(2.9);
                Assert.That(client.IsClosed, Is.False);
                bench.Pass(0.2);
                Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Silent));
            }
        ),
        new(
            "CON-2",
            "3.1.0-2",
            "3.1.0-2",
            "a second CONNECT closes the connection and publishes the will",
            version =>
            {
                var bench = new BrokerBench();
                var observer = bench.Connect(version, "observer");
                observer.Subscribe("will");
                var client = bench.Connect(
                    version,
                    "a",
                    change: c => c with { Will = new WillMessage("will", Bytes.FromText("gone")) }
                );
                client.Send(new ConnectPacket { ProtocolVersion = version, ClientId = "a" });
                client.AssertClosedFor(ReasonCode.ProtocolError);
                Assert.That(observer.TakeMessages(), Is.EqualTo(new[] { "will=gone" }));
            }
        ),
        new(
            "CON-3",
            "3.1.2-1",
            "3.1.2-1",
            "another protocol name is closed without an answer",
            version =>
            {
                var client = new BrokerBench().Open(version);
                client.Send(
                    new ConnectPacket
                    {
                        ProtocolVersion = version,
                        ProtocolName = "COAP",
                        ClientId = "a",
                    }
                );
                client.AssertSilent();
                Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Refused));
            }
        ),
        new(
            "CON-4",
            "3.1.2-2",
            "3.1.2-2",
            "an unknown protocol level is answered with 01 in the form of 3.1.1 and closed",
            _ =>
            {
                var client = new BrokerBench().Open(V311);
                client.SendBytes([0x10, 13, 0, 4, .. "MQTT"u8, 6, 2, 0, 0, 0, 1, (byte)'a']);
                Assert.That(client.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.UnsupportedProtocolVersion));
                Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Refused));
            }
        ),
        Malformed("the reserved connect flag set", "3.1.2-3", "3.1.2-3", connectFlags: 0b0000_0011),
        Malformed("will QoS without a will", "3.1.2-11,3.1.2-13", "3.1.2-11", connectFlags: 0b0000_1010),
        Malformed("will QoS 3", "3.1.2-14", "3.1.2-12", connectFlags: 0b0001_1110),
        Malformed("will retain without a will", "3.1.2-15", "3.1.2-13", connectFlags: 0b0010_0010),
        new(
            "CON-5",
            "3.1.2-22,3.2.2-6",
            "",
            "a password without a user name closes the connection without an answer",
            version =>
            {
                var client = new BrokerBench().Open(version);
                client.Send(
                    new ConnectPacket
                    {
                        ProtocolVersion = version,
                        ClientId = "a",
                        Password = Bytes.FromText("x"),
                    }
                );
                client.AssertSilent();
                Assert.That(client.IsClosed, Is.True);
            }
        ),
        new(
            "CON-5",
            "",
            "3.1.2-22",
            "a password without a user name is welcome",
            version => new BrokerBench().Connect(version, "a", change: c => c with { Password = Bytes.FromText("x") })
        ),
        new(
            "CON-6",
            "3.2.0-1",
            "3.2.0-1,3.2.0-2,3.2.2-1",
            "CONNACK is the first packet, and comes once",
            version =>
            {
                var bench = new BrokerBench();
                var client = bench.Connect(version, "a");
                Assert.That(client.Connack!.SessionPresent, Is.False);
                bench.Pass(5);
                client.AssertSilent();
            }
        ),
        new(
            "CON-7",
            "3.1.4-1,3.2.2-4,3.2.2-5",
            "3.1.4-1,3.1.4-2,3.2.2-6,3.2.2-7,3.2.2-8,4.13.2-1",
            "a refusal has session present 0 and its code, then the connection is closed",
            version =>
            {
                var access = new BrokerAccess(
                    new Dictionary<string, string> { ["alice"] = "secret" },
                    allowAnonymous: false,
                    []
                );
                foreach (
                    var (user, password, reason) in new[]
                    {
                        ("alice", "wrong", ReasonCode.BadUserNameOrPassword),
                        ("bob", "secret", ReasonCode.BadUserNameOrPassword),
                        (null, null, ReasonCode.NotAuthorized),
                    }
                )
                {
                    var client = new BrokerBench(new BrokerOptions { Access = access }).Open(version);
                    client.Send(
                        new ConnectPacket
                        {
                            ProtocolVersion = version,
                            ClientId = "a",
                            UserName = user,
                            Password = password is null ? default(Bytes?) : Bytes.FromText(password),
                        }
                    );
                    Assert.That(client.Take<ConnackPacket>(), Is.EqualTo(new ConnackPacket(false, reason)));
                    Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Refused));
                }
            }
        ),
        new(
            "CON-7",
            "3.1.4-5",
            "3.1.4-6",
            "packets behind a refused CONNECT have no effect",
            version =>
            {
                var bench = new BrokerBench(
                    new BrokerOptions { Access = BrokerAccess.Parse("user alice secret\nallow * both #", "test") }
                );
                var observer = bench.Connect(
                    version,
                    "observer",
                    change: c => c with { UserName = "alice", Password = Bytes.FromText("secret") }
                );
                observer.Subscribe("#");
                var client = bench.Open(version);
                client.SendBytes([
                    .. PacketEncoder.Encode(new ConnectPacket { ProtocolVersion = version, ClientId = "a" }, version),
                    .. PacketEncoder.Encode(
                        new PublishPacket { Topic = "t", Payload = Bytes.FromText("smuggled") },
                        version
                    ),
                ]);
                Assert.That(client.IsClosed, Is.True);
                observer.AssertSilent();
            }
        ),
        new(
            "CON-8",
            "3.1.4-4",
            "3.1.4-5",
            "packets sent before CONNACK has arrived are handled after it",
            version =>
            {
                var client = new BrokerBench().Open(version);
                client.SendBytes([
                    .. PacketEncoder.Encode(new ConnectPacket { ProtocolVersion = version, ClientId = "a" }, version),
                    .. PacketEncoder.Encode(new PingreqPacket(), version),
                ]);
                client.Take<ConnackPacket>();
                client.Take<PingrespPacket>();
            }
        ),
        new(
            "CON-9",
            "3.1.3-5",
            "3.1.3-5",
            "client identifiers of 1 to 23 letters and digits are accepted",
            version =>
            {
                var bench = new BrokerBench();
                bench.Connect(version, "Z");
                bench.Connect(version, "0123456789abcXYZabcdefg");
            }
        ),
        new(
            "CON-9",
            "3.1.3-9",
            "3.1.3-8",
            "a client identifier that is not allowed is refused",
            version =>
            {
                var client = new BrokerBench(
                    new BrokerOptions { Limits = new BrokerLimits { ClientIdentifierBytes = 30 } }
                ).Open(version);
                client.Send(new ConnectPacket { ProtocolVersion = version, ClientId = new string('x', 31) });
                Assert.That(client.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.ClientIdentifierNotValid));
                Assert.That(client.IsClosed, Is.True);
            }
        ),
        new(
            "CON-10",
            "3.1.3-6",
            "3.1.3-6,3.1.3-7,3.2.2-16",
            "an empty client identifier gets a unique one",
            version =>
            {
                var bench = new BrokerBench();
                var (first, second) = (bench.Connect(version, ""), bench.Connect(version, ""));
                Assert.That(
                    (first.IsClosed, second.IsClosed, bench.Core.Counters.Sessions),
                    Is.EqualTo((false, false, 2))
                );
                if (version != V5)
                    return;
                Assert.That(
                    first.Connack!.Properties.AssignedClientIdentifier,
                    Is.Not.Null.And.Not.EqualTo(second.Connack!.Properties.AssignedClientIdentifier)
                );
            }
        ),
        new(
            "CON-10",
            "3.1.3-7,3.1.3-8",
            "",
            "an empty client identifier with CleanSession 0 is refused with 02",
            version =>
            {
                var client = new BrokerBench().Open(version);
                client.Send(
                    new ConnectPacket
                    {
                        ProtocolVersion = version,
                        ClientId = "",
                        CleanStart = false,
                    }
                );
                Assert.That(
                    client.Take<ConnackPacket>(),
                    Is.EqualTo(new ConnackPacket(false, ReasonCode.ClientIdentifierNotValid))
                );
                Assert.That(client.IsClosed, Is.True);
            }
        ),
        new(
            "CON-11",
            "3.1.4-2",
            "3.1.4-3",
            "a second connection of a client closes the first",
            version =>
            {
                var bench = new BrokerBench();
                var first = bench.Connect(version, "a");
                bench.Connect(version, "a");
                Assert.That(first.CloseReason, Is.EqualTo(BrokerCloseReason.TakenOver));
                Assert.That(
                    first.TakeAll(),
                    Is.EqualTo(version == V5 ? new Packet[] { new DisconnectPacket(ReasonCode.SessionTakenOver) } : [])
                );
            }
        ),
        new(
            "AUT-2",
            "",
            "4.12.0-1",
            "an unknown authentication method is refused",
            version =>
            {
                var client = new BrokerBench().Open(version);
                client.Send(
                    new ConnectPacket
                    {
                        ProtocolVersion = version,
                        ClientId = "a",
                        Properties = new PacketProperties { AuthenticationMethod = "SCRAM" },
                    }
                );
                Assert.That(client.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.BadAuthenticationMethod));
                Assert.That(client.IsClosed, Is.True);
            }
        ),
        new(
            "AUT-1",
            "",
            "4.12.0-6",
            "AUTH without a method in CONNECT closes the connection",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.Send(
                    new AuthPacket(ReasonCode.Reauthenticate)
                    {
                        Properties = new PacketProperties { AuthenticationMethod = "SCRAM" },
                    }
                );
                client.AssertClosedFor(ReasonCode.ProtocolError);
            }
        ),
        new(
            "KA-2",
            "3.1.2-24",
            "3.1.2-22,3.2.2-22",
            "silence for one and a half keep alives closes the connection and publishes the will",
            version =>
            {
                var bench = new BrokerBench();
                var observer = bench.Connect(version, "observer");
                observer.Subscribe("will");
                var client = bench.Connect(
                    version,
                    "a",
                    change: c =>
                        c with
                        {
                            KeepAliveSeconds = 10,
                            Will = new WillMessage("will", Bytes.FromText("gone")),
                        }
                );
                bench.Pass(14);
                client.Send(new PingreqPacket());
                bench.Pass(14.9);
                Assert.That(client.IsClosed, Is.False);
                bench.Pass(0.2);
                Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Silent));
                Assert.That(observer.TakeMessages(), Is.EqualTo(new[] { "will=gone" }));
            }
        ),
        new(
            "KA-1",
            "3.1.2-23",
            "3.1.2-20",
            "keep alive 0 allows silence",
            version =>
            {
                var bench = new BrokerBench();
                var client = bench.Connect(version, "a");
                bench.Pass(1_000_000);
                Assert.That(client.IsClosed, Is.False);
            }
        ),
        new(
            "KA-2",
            "3.1.2-24",
            "3.1.2-22",
            "packets to the client do not count as signs of life",
            version =>
            {
                var bench = new BrokerBench();
                var client = bench.Connect(version, "a", change: c => c with { KeepAliveSeconds = 10 });
                client.Subscribe("t", qos: 0);
                var publisher = bench.Connect(version, "b");
                for (var i = 0; i < 3; i++)
                {
                    bench.Pass(5.1);
                    publisher.Publish("t", "x");
                }
                Assert.That(client.IsClosed, Is.True);
            }
        ),
        new(
            "KA-3",
            "3.12.4-1",
            "3.12.4-1",
            "every PINGREQ is answered",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.Send(new PingreqPacket());
                client.Take<PingrespPacket>();
                client.Send(new PingreqPacket());
                client.Take<PingrespPacket>();
            }
        ),
        new(
            "KA-4",
            "",
            "3.1.2-21,3.2.2-21",
            "the keep alive of the server replaces a longer one, or none",
            version =>
            {
                foreach (var asked in new ushort[] { 0, 100, 20, 5 })
                {
                    var bench = new BrokerBench(
                        new BrokerOptions { Limits = new BrokerLimits { KeepAliveSeconds = 20 } }
                    );
                    var client = bench.Connect(version, "a", change: c => c with { KeepAliveSeconds = asked });
                    Assert.That(
                        client.Connack!.Properties.ServerKeepAliveSeconds,
                        Is.EqualTo(asked is 0 or 100 ? 20 : default(ushort?))
                    );
                    bench.Pass(asked == 5 ? 7.6 : 30.1);
                    Assert.That(client.IsClosed, Is.True);
                }
            }
        ),
        new(
            "DIS-1",
            "3.14.4-1,3.14.4-2",
            "3.14.4-1,3.14.4-2",
            "DISCONNECT closes the connection",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.Disconnect();
                Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.Disconnected));
                client.AssertSilent();
            }
        ),
        new(
            "DIS-3",
            "3.14.1-1",
            "3.14.1-1",
            "DISCONNECT with flags closes the connection as a violation",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.SendBytes(0xE1, 0);
                client.AssertClosedFor(ReasonCode.MalformedPacket);
            }
        ),
        new(
            "DIS-2",
            "",
            "3.14.0-1",
            "no DISCONNECT comes before an accepting CONNACK",
            version =>
            {
                var client = new BrokerBench().Open(version);
                client.SendBytes(0xE0, 0);
                client.AssertSilent();
                Assert.That(client.IsClosed, Is.True);
            }
        ),
        new(
            "CAP",
            "",
            "3.2.2-9,3.2.2-14",
            "what the broker does not offer stands in CONNACK",
            version =>
            {
                var client = new BrokerBench(
                    new BrokerOptions
                    {
                        Limits = new BrokerLimits
                        {
                            MaximumQos = QualityOfService.AtLeastOnce,
                            RetainedMessages = 0,
                            WildcardSubscriptions = false,
                            SharedSubscriptions = false,
                            SubscriptionIdentifiers = false,
                            ReceiveMaximum = 7,
                            PacketBytes = 1000,
                            TopicAliasMaximum = 3,
                            SessionExpirySeconds = 60,
                        },
                    }
                ).Connect(version, "a", clean: false);
                Assert.That(
                    client.Connack!.Properties,
                    Is.EqualTo(
                        new PacketProperties
                        {
                            MaximumQos = QualityOfService.AtLeastOnce,
                            RetainAvailable = false,
                            WildcardSubscriptionAvailable = false,
                            SharedSubscriptionAvailable = false,
                            SubscriptionIdentifierAvailable = false,
                            ReceiveMaximum = 7,
                            MaximumPacketSizeBytes = 1000,
                            TopicAliasMaximum = 3,
                            SessionExpiryIntervalSeconds = 60,
                        }
                    )
                );
            }
        ),
        new(
            "REQ-1",
            "",
            "3.1.2-28",
            "response information is not sent unasked",
            version =>
                Assert.That(new BrokerBench().Connect(version, "a").Connack!.Properties.ResponseInformation, Is.Null)
        ),
        new(
            "WIL-5",
            "",
            "3.2.2-12",
            "a will beyond the maximum QoS is refused",
            version =>
            {
                var client = new BrokerBench(
                    new BrokerOptions { Limits = new BrokerLimits { MaximumQos = QualityOfService.AtMostOnce } }
                ).Open(version);
                client.Send(
                    new ConnectPacket
                    {
                        ProtocolVersion = version,
                        ClientId = "a",
                        Will = new WillMessage("w", default, QualityOfService.AtLeastOnce),
                    }
                );
                Assert.That(client.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.QosNotSupported));
            }
        ),
        new(
            "WIL-5",
            "",
            "3.2.2-13",
            "a retained will is refused where nothing is retained",
            version =>
            {
                var client = new BrokerBench(
                    new BrokerOptions { Limits = new BrokerLimits { RetainedMessages = 0 } }
                ).Open(version);
                client.Send(
                    new ConnectPacket
                    {
                        ProtocolVersion = version,
                        ClientId = "a",
                        Will = new WillMessage("w", default, Retain: true),
                    }
                );
                Assert.That(client.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.RetainNotSupported));
            }
        ),
    ];

    [TestCaseSource(nameof(Cases))]
    public void Holds(RuleCheck check, ProtocolVersion version) => check.Run(version);

    private static IEnumerable<TestCaseData> Cases() => RuleCheck.Cases(Table);

    private static RuleCheck Malformed(string what, string statement311, string statement5, byte connectFlags) =>
        new(
            "CON-5",
            statement311,
            statement5,
            $"CONNECT with {what} is refused",
            version =>
            {
                var client = new BrokerBench().Open(version);
                byte[] fields =
                [
                    0,
                    4,
                    .. "MQTT"u8,
                    (byte)version,
                    connectFlags,
                    0,
                    0,
                    .. version == V5 ? new byte[] { 0 } : [],
                    0,
                    1,
                    (byte)'a',
                    .. (connectFlags & 4) == 0 ? []
                    : version == V5 ? new byte[] { 0, 0, 1, (byte)'w', 0, 0 }
                    : [0, 1, (byte)'w', 0, 0],
                ];
                client.SendBytes([0x10, (byte)fields.Length, .. fields]);
                if (version == V5)
                    Assert.That(client.Take<ConnackPacket>().ReasonCode, Is.EqualTo(ReasonCode.MalformedPacket));
                client.AssertSilent();
                Assert.That(client.IsClosed, Is.True);
            }
        );
}
