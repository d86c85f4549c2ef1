using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

/// <summary>Messages that were released, filters that were refused, and what CONNACK may not say.</summary>
[TestFixture]
internal sealed class ReleaseAndRefusalTests
{
    private const int A = 0,
        B = 1;
    private const ushort Id = 7;

    // "MUST NOT re-send the PUBLISH once it has sent the corresponding PUBREL packet" (section 4.3.3).
    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void A_PUBLISH_behind_its_PUBREL_is_a_violation_and_PUBREL_again_is_none(ProtocolVersion version)
    {
        Again(Released(version)).Finds("publish-behind-pubrel");
        Resume(Released(version), version).Gets(A, new PubrelPacket(Id)).FindsNothing();

        TraceScript Again(TraceScript script) =>
            Resume(script, version).Deliver(A, "x/a", 2, 1, Id, dup: true, acknowledge: false);
    }

    // A retained message that is sent twice, or a copy for each of two filters.
    [Test]
    public void A_PUBLISH_behind_PUBCOMP_may_be_another_copy_that_has_the_same_identifier() =>
        Resume(Released(ProtocolVersion.V5).Sends(A, new PubcompPacket(Id)), ProtocolVersion.V5)
            .Deliver(A, "x/a", 2, 1, Id, dup: true)
            .FindsNothing();

    [Test]
    public void A_PUBLISH_whose_PUBREL_has_not_come_may_come_again() =>
        Received(ProtocolVersion.V5)
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true, expiry: 1000)
            .Deliver(A, "x/a", 2, 1, Id, dup: true)
            .FindsNothing();

    // SUBACK with a failure code: the filter is not subscribed (section 3.9.3).
    [TestCase(true)]
    [TestCase(false)]
    public void A_retained_message_for_a_filter_that_SUBACK_refuses_is_a_violation(bool comesBefore)
    {
        var script = Retained().Sends(A, Subscribe("x/a"));
        if (comesBefore)
            script.Deliver(A, "x/a", 1, 1, retain: true).Gets(A, Refusal);
        else
            script.Gets(A, Refusal).Deliver(A, "x/a", 1, 1, retain: true);
        Assert.That(script.Deviations, Is.SupersetOf((string[])["refused-filter"]));
        Assert.That(script.Deviations.Except(["filter-accepted", "permitted", "refused-filter"]), Is.Empty);
    }

    [Test]
    public void A_retained_message_for_another_filter_of_the_same_SUBSCRIBE_is_none() =>
        Assert.That(
            Retained()
                .Sends(A, Subscribe("x/a", "x/#"))
                .Gets(A, new SubackPacket(1, [ReasonCode.UnspecifiedError, ReasonCode.GrantedQos1]))
                .Deliver(A, "x/a", 1, 1, retain: true)
                .Deviations,
            Has.None.EqualTo("refused-filter")
        );

    [Test]
    public void A_message_for_a_filter_that_SUBACK_refused_is_a_violation() =>
        Assert.That(
            Retained().Sends(A, Subscribe("y")).Gets(A, Refusal).Publish(B, "y", 1, 2).Deliver(A, "y", 1, 2).Deviations,
            Has.One.EqualTo("refused-filter")
        );

    // The refusal of a request leaves the subscription that was there (MQTT 5, section 3.9.3).
    [Test]
    public void A_message_for_a_filter_that_was_granted_before_it_was_refused_is_none() =>
        Assert.That(
            Retained()
                .Subscribe(A, "y", 1)
                .Sends(A, Subscribe("y"))
                .Gets(A, Refusal)
                .Publish(B, "y", 1, 2)
                .Deliver(A, "y", 1, 2)
                .Deviations,
            Has.None.EqualTo("refused-filter")
        );

    // "A value of 0 indicates that the Server MUST NOT return Response Information" (MQTT-3.1.2-28).
    [TestCase(null, "response-information")]
    [TestCase(false, "response-information")]
    [TestCase(true)]
    public void Response_information_that_nobody_asked_for_is_a_violation(bool? asks, params string[] expected) =>
        new TraceScript(ProtocolVersion.V5)
            .Opens(
                A,
                new ConnectPacket
                {
                    ProtocolVersion = ProtocolVersion.V5,
                    CleanStart = true,
                    ClientId = "a",
                    Properties = new PacketProperties { RequestResponseInformation = asks },
                }
            )
            .Gets(A, new ConnackPacket(false) { Properties = new PacketProperties { ResponseInformation = "x" } })
            .Finds(expected);

    // "This MUST be a new Client Identifier not used by any other Session currently in the Server" (MQTT-3.2.2-16).
    [TestCase("auto-1", "auto-2")]
    [TestCase("auto-1", "auto-1", "assigned-identifier-new")]
    public void An_assigned_identifier_that_is_in_use_is_a_violation(
        string first,
        string second,
        params string[] expected
    ) =>
        new TraceScript(ProtocolVersion.V5)
            .Opens(A, Anonymous)
            .Gets(A, Assigned(first))
            .Opens(B, Anonymous)
            .Gets(B, Assigned(second))
            .Finds(expected);

    [Test]
    public void An_assigned_identifier_may_come_again_when_its_connection_has_ended() =>
        new TraceScript(ProtocolVersion.V5)
            .Opens(A, Anonymous)
            .Gets(A, Assigned("auto"))
            .Disconnect(A)
            .Opens(B, Anonymous)
            .Gets(B, Assigned("auto"))
            .FindsNothing();

    // A's copy at QoS 2 belongs to h, because g has granted QoS 1: the server may deliver what it had for an ended
    // subscription (MQTT 5, section 3.10.4).
    [Test]
    public void A_copy_for_a_shared_subscription_that_has_ended_is_none_of_another_group() =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A, expiry: 1000)
            .Subscribe(A, "$share/h/x/6", 2)
            .Subscribe(A, "$share/g/x/6", 1, id: 2)
            .Connect(B)
            .Drop(A)
            .Subscribe(B, "$share/g/x/6", 0)
            .Publish(B, "x/6", 2, 1)
            .Deliver(B, "x/6", 0, 1)
            .Connect(A, clean: false, sessionPresent: true, expiry: 1000)
            .Sends(A, new UnsubscribePacket(3, ["$share/h/x/6"]))
            .Gets(A, new UnsubackPacket(3) { ReasonCodes = [ReasonCode.Success] })
            .Deliver(A, "x/6", 2, 1)
            .FindsNothing();

    // "the sender ... MUST close the Network Connection" (MQTT-3.14.4-2), and it owes nothing else.
    [Test]
    public void What_is_sent_behind_a_DISCONNECT_of_the_broker_is_owed_no_answer() =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A)
            .Gets(A, new DisconnectPacket(ReasonCode.ServerShuttingDown))
            .Sends(A, new UnsubscribePacket(2, ["x"]))
            .Sends(A, new PingreqPacket())
            .Owes("closes-behind-disconnect")
            .FindsNothing();

    private static SubackPacket Refusal { get; } = new(1, [ReasonCode.UnspecifiedError]);

    private static ConnectPacket Anonymous { get; } =
        new()
        {
            ProtocolVersion = ProtocolVersion.V5,
            CleanStart = true,
            ClientId = "",
        };

    private static ConnackPacket Assigned(string identifier) =>
        new(false) { Properties = new PacketProperties { AssignedClientIdentifier = identifier } };

    private static SubscribePacket Subscribe(params string[] filters) =>
        new(1, [.. filters.Select(filter => new SubscriptionRequest(filter, QualityOfService.AtLeastOnce))]);

    private static TraceScript Retained() =>
        new TraceScript(ProtocolVersion.V5).Connect(A).Connect(B).Publish(B, "x/a", 1, 1, retain: true);

    private static TraceScript Received(ProtocolVersion version) =>
        new TraceScript(version)
            .Connect(A, clean: false, expiry: version == ProtocolVersion.V5 ? 1000 : null)
            .Subscribe(A, "x/a", 2)
            .Connect(B)
            .Publish(B, "x/a", 2, 1)
            .Deliver(A, "x/a", 2, 1, Id, acknowledge: false)
            .Sends(A, new PubrecPacket(Id));

    private static TraceScript Released(ProtocolVersion version) => Received(version).Gets(A, new PubrelPacket(Id));

    private static TraceScript Resume(TraceScript script, ProtocolVersion version) =>
        script
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true, expiry: version == ProtocolVersion.V5 ? 1000 : null);
}
