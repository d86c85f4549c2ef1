using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Core;

/// <summary>
/// The codes, limits and refusals that a client reads in answers. The conformance check leaves most of them to the
/// broker, or cannot bring them about.
/// </summary>
internal sealed class BrokerAnswersTests
{
    private static readonly BrokerOptions Guarded = new()
    {
        Access = BrokerAccess.Parse("anonymous yes\ndeny * both secret/#\nallow * both #", "test"),
    };

    // MQTT-3.1.2-1, 3.1.2-22, 3.1.3-8, 3.1.3-9, 3.1.4-2, 4.12.0-1; null is a connection that ends without an answer.
    private static IEnumerable<TestCaseData> Asking()
    {
        var known = BrokerAccess.Parse("user alice secret\nallow * both #", "test");
        var named = new ConnectPacket { ClientId = "a" };
        var password = Bytes.FromText("secret");
        return
        [
            Row("another protocol", named with { ProtocolName = "COAP" }, null, null),
            Row("a password alone", named with { Password = password }, null, ReasonCode.Success),
            Row("no identifier", named with { ClientId = "" }, ReasonCode.Success, ReasonCode.Success),
            Row(
                "no identifier to come back with",
                new ConnectPacket { CleanStart = false },
                ReasonCode.ClientIdentifierNotValid,
                ReasonCode.Success
            ),
            Row(
                "a long identifier",
                named with
                {
                    ClientId = new string('x', 31),
                },
                ReasonCode.ClientIdentifierNotValid,
                ReasonCode.ClientIdentifierNotValid
            ),
            Row(
                "a method",
                named with
                {
                    Properties = new PacketProperties { AuthenticationMethod = "SCRAM" },
                },
                ReasonCode.Success,
                ReasonCode.BadAuthenticationMethod
            ),
            Row("nobody", named, ReasonCode.NotAuthorized, ReasonCode.NotAuthorized, known),
            Row(
                "a stranger",
                named with
                {
                    UserName = "bob",
                    Password = password,
                },
                ReasonCode.BadUserNameOrPassword,
                ReasonCode.BadUserNameOrPassword,
                known
            ),
            Row(
                "the user",
                named with
                {
                    UserName = "alice",
                    Password = password,
                },
                ReasonCode.Success,
                ReasonCode.Success,
                known
            ),
        ];

        static TestCaseData Row(
            string who,
            ConnectPacket connect,
            ReasonCode? old,
            ReasonCode? modern,
            BrokerAccess? access = null
        ) => new TestCaseData(connect, old, modern, access ?? BrokerAccess.Open).SetArgDisplayNames(who);
    }

    [TestCaseSource(nameof(Asking))]
    public void Who_asks_to_connect_is_answered_by_what_the_version_has(
        ConnectPacket connect,
        ReasonCode? old,
        ReasonCode? modern,
        BrokerAccess access
    )
    {
        foreach (var (version, expected) in new[] { (V311, old), (V5, modern) })
        {
            var options = new BrokerOptions
            {
                Access = access,
                Limits = new BrokerLimits { ClientIdentifierBytes = 30 },
            };
            var client = new BrokerBench(options).Open(version);
            client.Send(connect with { ProtocolVersion = version });
            Assert.That(
                client.TakeAll().Cast<ConnackPacket>().Select(answer => (answer.ReasonCode, answer.SessionPresent)),
                Is.EqualTo(expected is { } code ? [(code, false)] : Array.Empty<(ReasonCode, bool)>())
            );
            Assert.That(
                client.CloseReason,
                Is.EqualTo(expected == ReasonCode.Success ? null : BrokerCloseReason.Refused)
            );
        }
    }

    // MQTT-3.1.2-2: the level is unknown, so the answer has the form of 3.1.1.
    [Test]
    public void An_unknown_level_is_refused_in_the_form_of_MQTT_3_1_1()
    {
        var client = new BrokerBench().Open(V311);
        client.SendBytes([0x10, 13, 0, 4, .. "MQTT"u8, 6, 2, 0, 0, 0, 1, (byte)'a']);
        Assert.That(
            (client.Take<ConnackPacket>().ReasonCode, client.CloseReason),
            Is.EqualTo((ReasonCode.UnsupportedProtocolVersion, BrokerCloseReason.Refused))
        );
    }

    // MQTT-3.1.4-6: what comes behind a CONNECT counts if that is accepted, and not otherwise.
    [TestCase("anonymous yes\nallow * both #", 2)]
    [TestCase("user alice secret\nallow * both #", 1)]
    public void What_comes_behind_CONNECT_is_handled_after_it(string access, int answers)
    {
        var client = new BrokerBench(new BrokerOptions { Access = BrokerAccess.Parse(access, "test") }).Open(V5);
        client.SendBytes([
            .. PacketEncoder.Encode(new ConnectPacket { ClientId = "a" }, V5),
            .. PacketEncoder.Encode(new PingreqPacket(), V5),
        ]);
        Assert.That(client.TakeAll(), Has.Length.EqualTo(answers));
    }

    // P is the length of no properties, which MQTT 5 has alone. A code stands in DISCONNECT of MQTT 5 alone.
    [TestCase(0x36, "0001740001", ReasonCode.MalformedPacket)]
    [TestCase(0xE1, "", ReasonCode.MalformedPacket)]
    [TestCase(0x42, "0001", ReasonCode.MalformedPacket)]
    [TestCase(0x32, "0001740000P", ReasonCode.ProtocolError)]
    [TestCase(0x30, "0000P", ReasonCode.ProtocolError)]
    [TestCase(0x30, "0001" + "23P", ReasonCode.TopicNameInvalid)]
    [TestCase(0x10, "0004", ReasonCode.MalformedPacket)]
    public void Bytes_that_break_a_rule_close_the_connection_with_their_code(byte first, string body, ReasonCode reason)
    {
        foreach (var version in new[] { V311, V5 })
        {
            var bytes = Convert.FromHexString(body.Replace("P", version == V5 ? "00" : "", StringComparison.Ordinal));
            var client = new BrokerBench().Connect(version, "a");
            client.SendBytes([first, (byte)bytes.Length, .. bytes]);
            client.AssertClosedFor(reason);
        }
    }

    // MQTT-3.8.4-6, 3.3.5-2, 4.3.3-9 and the codes of sections 3.4.2 to 3.7.2: one answer each, in order. No answer has
    // a reason string or a user property, whatever the client takes (3.1.2-29, 3.2.2-19 and others).
    [Test]
    public void Every_request_has_its_answer_and_no_answer_has_more_than_its_codes(
        [Values(V311, V5)] ProtocolVersion version
    )
    {
        var bench = new BrokerBench(Guarded);
        var client = bench.Connect(
            version,
            "a",
            change: connect =>
                connect with
                {
                    Properties =
                        version == V5
                            ? new PacketProperties { MaximumPacketSizeBytes = 20, RequestProblemInformation = false }
                            : PacketProperties.Empty,
                }
        );
        var isModern = version == V5;
        var (denied, failed, unknown) = (
            isModern ? ReasonCode.NotAuthorized : ReasonCode.Success,
            isModern ? ReasonCode.NotAuthorized : ReasonCode.UnspecifiedError,
            isModern ? ReasonCode.PacketIdentifierNotFound : ReasonCode.Success
        );
        client
            .Publish("secret/x", "x", 1, 65535)
            .Publish("secret/x", "x", 2, 256, retain: true)
            .Send(new PubrecPacket(3))
            .Send(new PubrelPacket(4))
            .Send(new SubscribePacket(5, [new("b", QualityOfService.ExactlyOnce), new("secret/#", 0), new("#", 0)]))
            .Send(new UnsubscribePacket(6, ["none", "b", "b"]))
            .SendBytes(0xF0, 0);
        Packet[] answers =
        [
            new PubackPacket(65535, denied),
            new PubrecPacket(256, denied),
            new PubrelPacket(3, unknown),
            new PubcompPacket(4, unknown),
            new SubackPacket(5, [ReasonCode.GrantedQos2, failed, failed]),
            isModern
                ? new UnsubackPacket(
                    6,
                    [ReasonCode.NoSubscriptionExisted, ReasonCode.Success, ReasonCode.NoSubscriptionExisted]
                )
                : new UnsubackPacket(6),
        ];
        Assert.That(
            client.TakeAll(),
            Is.EqualTo(isModern ? [.. answers, new DisconnectPacket(ReasonCode.ProtocolError)] : answers)
        );
        Assert.That(client.LargestPacketBytes, Is.LessThanOrEqualTo(20));
        Assert.That(bench.Core.Counters.RetainedMessages, Is.Zero);
    }

    // MQTT-4.12.0-6: there was no method in CONNECT.
    [Test]
    public void AUTH_is_refused()
    {
        var client = new BrokerBench().Connect(V5, "a");
        client
            .Send(
                new AuthPacket(ReasonCode.Reauthenticate)
                {
                    Properties = new PacketProperties { AuthenticationMethod = "SCRAM" },
                }
            )
            .AssertClosedFor(ReasonCode.ProtocolError);
    }

    [Test]
    public void What_is_not_offered_stands_in_CONNACK_and_closes_the_connection_of_who_asks_for_it()
    {
        var bench = new BrokerBench(
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
                    KeepAliveSeconds = 20,
                },
            }
        );
        Assert.That(
            bench.Connect(V5, "a", clean: false).Connack!.Properties,
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
                    ServerKeepAliveSeconds = 20,
                }
            )
        );
        foreach (
            var (reason, ask) in new (ReasonCode, Action<BenchClient>)[]
            {
                (ReasonCode.WildcardSubscriptionsNotSupported, client => Ask(client, "a/+")),
                (ReasonCode.SharedSubscriptionsNotSupported, client => Ask(client, "$share/g/a")),
                (ReasonCode.SubscriptionIdentifiersNotSupported, client => Ask(client, "a", 1)),
                (ReasonCode.RetainNotSupported, client => client.Publish("t", "x", retain: true)),
                (ReasonCode.QosNotSupported, client => client.Publish("t", "x", 2)),
                (ReasonCode.PacketTooLarge, client => client.SendBytes(0x30, 0xE9, 7)),
                (ReasonCode.TopicAliasInvalid, client => Alias(client, 4)),
            }
        )
        {
            var client = bench.Connect(V5, "a");
            Alias(client, 3);
            ask(client);
            client.AssertClosedFor(reason);
        }

        static void Alias(BenchClient client, ushort alias) =>
            client.Publish("t", "x", properties: new PacketProperties { TopicAlias = alias });

        static void Ask(BenchClient client, string filter, params uint[] identifiers) =>
            client.Send(
                new SubscribePacket(1, [new(filter, 0)])
                {
                    Properties = new PacketProperties { SubscriptionIdentifiers = ValueList.Create<uint>(identifiers) },
                }
            );
    }

    // MQTT-3.2.2-21: the keep alive of the server replaces a longer one, or none. CONNACK of 3.1.1 could not tell the
    // client, so its own counts.
    [TestCase(V5, 0, 30)]
    [TestCase(V5, 100, 30)]
    [TestCase(V5, 20, 30)]
    [TestCase(V5, 5, 7.5)]
    [TestCase(V311, 100, 150)]
    public void Silence_ends_the_connection_after_one_and_a_half_of_the_shorter_keep_alive(
        ProtocolVersion version,
        int asked,
        double seconds
    )
    {
        var bench = new BrokerBench(new BrokerOptions { Limits = new BrokerLimits { KeepAliveSeconds = 20 } });
        var client = bench.Connect(version, "a", change: c => c with { KeepAliveSeconds = (ushort)asked });
        Assert.That(
            client.Connack!.Properties.ServerKeepAliveSeconds,
            Is.EqualTo(asked != 0 && seconds == 1.5 * asked ? default(ushort?) : 20)
        );
        bench.Pass(seconds - .1);
        Assert.That(client.IsClosed, Is.False);
        bench.Pass(.2);
        Assert.That(client.IsClosed, Is.True);
    }

    // The conformance check cannot hold back its own answers, which are activity.
    [TestCase(BrokerMutant.None, true)]
    [TestCase(BrokerMutant.SendingIsActivity, false)]
    public void What_is_sent_to_a_client_does_not_keep_it_alive(object mutant, bool isClosed)
    {
        var bench = new BrokerBench(new BrokerOptions { Mutant = (BrokerMutant)mutant });
        var client = bench.Connect(V5, "a", change: c => c with { KeepAliveSeconds = 10 });
        client.Subscribe("t");
        var publisher = bench.Connect(V5, "p");
        for (ushort i = 1; i <= 3; i++)
        {
            bench.Pass(6);
            publisher.Publish("t", "x", 1, i);
        }
        Assert.That(client.IsClosed, Is.EqualTo(isClosed));
    }
}
