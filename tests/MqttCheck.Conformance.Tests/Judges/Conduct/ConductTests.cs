using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges.Conduct;

/// <summary>Packets that a broker must not send, and answers that it must give, whatever clients asked for.</summary>
[TestFixture]
internal sealed class ConductTests
{
    private const int A = 0,
        B = 1;

    // MQTT-3.14.4-1 and -2: nothing comes behind DISCONNECT but the end of the connection.
    [TestCase(false, ExpectedResult = "")]
    [TestCase(true, ExpectedResult = "silent-behind-disconnect")]
    public string Nothing_comes_behind_the_DISCONNECT_of_the_broker(bool publishes)
    {
        var script = Script().Connect(A).Subscribe(A, "x/a", 0).Connect(B).Publish(B, "x/a", 0, 1).Gets(A, Busy());
        return Text(publishes ? script.Deliver(A, "x/a", 0, 1) : script);
    }

    [Test]
    public void The_DISCONNECT_of_the_broker_is_followed_by_the_end_of_the_connection() =>
        Script()
            .Connect(A)
            .Gets(A, Busy())
            .Owes("closes-behind-disconnect")
            .GiveUp()
            .Finds("closes-behind-disconnect")
            .OwesNothing();

    // In MQTT 3.1.1 there is no DISCONNECT of a server, and that alone is wrong.
    [Test]
    public void A_broker_of_MQTT_3_1_1_owes_nothing_for_a_DISCONNECT_that_it_must_not_send() =>
        new TraceScript().Connect(A).Gets(A, new DisconnectPacket()).OwesNothing().Finds("server-disconnect");

    // MQTT-4.12.0-6.
    [TestCase(null, null, ExpectedResult = "")]
    [TestCase(null, "m", ExpectedResult = "authentication-unasked")]
    [TestCase("m", "m", ExpectedResult = "")]
    public string CONNACK_has_an_authentication_method_only_if_CONNECT_has_one(string? asked, string? answered) =>
        Text(
            Script()
                .Opens(A, Connect(new PacketProperties { AuthenticationMethod = asked }))
                .Gets(
                    A,
                    new ConnackPacket(false, ReasonCode.Success)
                    {
                        Properties = new PacketProperties { AuthenticationMethod = answered },
                    }
                )
        );

    [Test]
    public void AUTH_comes_to_nobody_who_named_no_method() =>
        Script()
            .Connect(A)
            .Gets(A, new AuthPacket { Properties = new PacketProperties { AuthenticationMethod = "m" } })
            .Finds("authentication-unasked");

    // MQTT-3.2.2-9 and -10.
    [TestCase(null, ExpectedResult = "maximum-qos")]
    [TestCase(QualityOfService.AtMostOnce, ExpectedResult = "")]
    public string A_connection_that_ends_for_a_QoS_has_been_told_the_maximum(QualityOfService? maximum) =>
        Text(
            Script()
                .Opens(A, Connect(PacketProperties.Empty))
                .Gets(A, Limited(maximum))
                .Sends(A, Message("x/a", 1, QualityOfService.AtLeastOnce, 7))
                .Gets(A, new DisconnectPacket(ReasonCode.QosNotSupported))
        );

    // A client cannot keep to the maximum before CONNACK tells it, and may lose its connection for that.
    [Test]
    public void A_broker_with_a_maximum_may_end_the_connection_of_a_publisher_above_it() =>
        Script()
            .Opens(A, Connect(PacketProperties.Empty))
            .Sends(A, Message("x/a", 1, QualityOfService.AtLeastOnce, 7))
            .Sends(A, new SubscribePacket(1, [new SubscriptionRequest("x/a", QualityOfService.ExactlyOnce)]))
            .Gets(A, Limited(QualityOfService.AtMostOnce))
            .Gets(A, new DisconnectPacket(ReasonCode.QosNotSupported))
            .FindsNothing();

    [Test]
    public void A_broker_with_a_maximum_takes_SUBSCRIBE_above_it() =>
        Script()
            .Opens(A, Connect(PacketProperties.Empty))
            .Gets(A, Limited(QualityOfService.AtMostOnce))
            .Sends(A, new SubscribePacket(1, [new SubscriptionRequest("x/a", QualityOfService.ExactlyOnce)]))
            .Gets(A, new DisconnectPacket(ReasonCode.QosNotSupported))
            .Finds("any-qos-subscribed");

    // MQTT-4.8.2-6.
    [TestCase("$share/g/x/a", ExpectedResult = "shared-discarded")]
    [TestCase("$share/h/x/a", ExpectedResult = "")]
    [TestCase("x/a", ExpectedResult = "")]
    public string A_message_that_a_member_answers_with_an_error_goes_to_no_other_member(string filter)
    {
        var message = Message("x/a", 1, QualityOfService.AtLeastOnce, 7);
        var script = Script()
            .Connect(A)
            .Subscribe(A, "$share/g/x/a", 1)
            .Connect(B)
            .Subscribe(B, filter, 1)
            .Connect(2)
            .Publish(2, "x/a", 1, 1)
            .Gets(A, message)
            .Sends(A, new PubackPacket(7, ReasonCode.QuotaExceeded))
            .Gets(B, message)
            .Sends(B, new PubackPacket(7));
        return Text(script).Replace("shared-once", "", StringComparison.Ordinal).Trim();
    }

    // MQTT-1.5.4-3: the character stays, and a topic without it is another.
    [TestCase("x/\uFEFFa", ExpectedResult = "")]
    [TestCase("x/a", ExpectedResult = "byte-order-mark")]
    [TestCase("x/b", ExpectedResult = "topic-matches")]
    public string The_character_FEFF_stays_in_a_topic(string topic) =>
        Text(
            Script().Connect(A).Subscribe(A, "x/+", 0).Connect(B).Publish(B, "x/\uFEFFa", 0, 1).Deliver(A, topic, 0, 1)
        );

    // MQTT-3.1.4-1 of MQTT 3.1.1; a client identifier is rejected by a code.
    [TestCase("will-qos-3", ReasonCode.NotAuthorized, ExpectedResult = "malformed-connect-silent")]
    [TestCase("will-qos-3", null, ExpectedResult = "")]
    [TestCase("string-not-utf-8", null, ExpectedResult = "")]
    [TestCase("client-identifier-not-utf-8", ReasonCode.ClientIdentifierNotValid, ExpectedResult = "")]
    [TestCase("user-name-not-utf-8", ReasonCode.BadUserNameOrPassword, ExpectedResult = "")]
    [TestCase("client-identifier-empty", ReasonCode.ClientIdentifierNotValid, ExpectedResult = "")]
    [TestCase("protocol-name", ReasonCode.NotAuthorized, ExpectedResult = "")]
    [TestCase("protocol-level", ReasonCode.UnsupportedProtocolVersion, ExpectedResult = "")]
    [TestCase("protocol-level", null, ExpectedResult = "level-refused")]
    public string A_malformed_CONNECT_of_MQTT_3_1_1_gets_no_answer_but_for_its_level(string defect, ReasonCode? answer)
    {
        var script = new TraceScript().ConnectMalformed(A, defect);
        if (answer is { } reason)
            script.Gets(A, new ConnackPacket(false, reason));
        return Text(script.Closed(A));
    }

    // MQTT-3.1.4-1 of MQTT 5 leaves that to the server.
    [Test]
    public void A_malformed_CONNECT_of_MQTT_5_may_get_an_answer_or_none()
    {
        Script()
            .ConnectMalformed(A, "will-qos-3")
            .Gets(A, new ConnackPacket(false, ReasonCode.MalformedPacket))
            .Closed(A)
            .ConnectMalformed(B, "protocol-level")
            .Closed(B)
            .FindsNothing();
    }

    // MQTT-4.12.0-1.
    [TestCase(true, ExpectedResult = "unknown-method")]
    [TestCase(false, ExpectedResult = "")]
    public string A_CONNECT_with_a_method_that_nobody_knows_is_not_accepted(bool accepts)
    {
        var script = Script().ConnectMalformed(A, MalformedCommand.UnknownMethod);
        return Text(
            accepts
                ? script.Gets(A, new ConnackPacket(false, ReasonCode.Success))
                : script.Gets(A, new ConnackPacket(false, ReasonCode.BadAuthenticationMethod)).Closed(A)
        );
    }

    private static TraceScript Script() => new(ProtocolVersion.V5);

    private static string Text(TraceScript script) => string.Join(' ', script.Deviations);

    private static DisconnectPacket Busy() => new(ReasonCode.ServerBusy);

    private static ConnackPacket Limited(QualityOfService? maximum) =>
        new(false, ReasonCode.Success) { Properties = new PacketProperties { MaximumQos = maximum } };

    private static ConnectPacket Connect(PacketProperties properties) =>
        new()
        {
            ProtocolVersion = ProtocolVersion.V5,
            CleanStart = true,
            ClientId = new ScenarioNames("x").ClientId(A),
            Properties = properties,
        };

    private static PublishPacket Message(string topic, int number, QualityOfService qos, ushort id = 0) =>
        new()
        {
            Topic = topic,
            Qos = qos,
            PacketId = id,
            Payload = new ScenarioNames("x").Payload(number),
        };
}
