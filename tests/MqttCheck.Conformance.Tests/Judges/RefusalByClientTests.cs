using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

/// <summary>Messages that clients refuse, reasons that they do not want to know, and clients of two versions.</summary>
[TestFixture]
internal sealed class RefusalByClientTests
{
    private const int A = 0,
        B = 1;
    private const ushort Id = 7;

    // "... is treated as acknowledged, and MUST NOT be retransmitted" (MQTT-4.4.0-2).
    [Test]
    public void A_message_that_was_refused_is_not_sent_again([Values(1, 2)] int qos)
    {
        Again(Refused(qos).Sends(A, new PingreqPacket()).Gets(A, new PingrespPacket())).Finds("refused-not-resent");
        // Nothing shows that the broker saw the refusal before the connection ended.
        Again(Refused(qos)).FindsNothing();

        TraceScript Again(TraceScript script) =>
            script
                .Drop(A)
                .Connect(A, clean: false, sessionPresent: true, expiry: 1000)
                .Deliver(A, "x/a", qos, 1, Id, dup: true);
    }

    [Test]
    public void A_refused_message_is_owed_no_PUBREL_and_leaves_its_identifier_free() =>
        Refused(2)
            .OwesNothing()
            .Publish(B, "x/a", 2, 2)
            .Deliver(A, "x/a", 2, 2, Id)
            .Drop(A)
            .Connect(A, clean: false, sessionPresent: true, expiry: 1000)
            .OwesNothing()
            .FindsNothing();

    [Test]
    public void A_PUBREL_behind_a_refusal_is_a_deviation() =>
        Refused(2).Gets(A, new PubrelPacket(Id)).Finds("refusal-ends-exchange");

    // "MUST NOT send a Reason String or User Properties on any packet other than PUBLISH, CONNACK, or DISCONNECT"
    // (MQTT-3.1.2-29).
    [TestCase(false, "problem-information")]
    [TestCase(true)]
    [TestCase(null)]
    public void A_reason_string_comes_only_to_who_wants_problem_information(bool? wants, params string[] expected) =>
        new TraceScript(ProtocolVersion.V5)
            .Opens(A, Connect(ProtocolVersion.V5, wants))
            .Gets(A, new ConnackPacket(false) { Properties = new PacketProperties { ReasonString = "welcome" } })
            .Sends(A, new SubscribePacket(1, [new SubscriptionRequest("x", QualityOfService.AtMostOnce)]))
            .Gets(
                A,
                new SubackPacket(1, [ReasonCode.Success])
                {
                    Properties = new PacketProperties { ReasonString = "granted" },
                }
            )
            .Finds(expected);

    // "$share/" is a part of the filter in MQTT 5 only, and so is a session that ends without an expiry interval.
    [Test]
    public void Each_client_is_judged_by_its_own_version()
    {
        Mixed().FindsNothing();
        Mixed()
            .Drop(B)
            .Opens(B, Connect(ProtocolVersion.V5) with { CleanStart = false })
            .Gets(B, new ConnackPacket(true))
            .Finds("session-not-present");

        static TraceScript Mixed() =>
            new TraceScript(ProtocolVersion.V5)
                .Opens(A, Connect(ProtocolVersion.V311))
                .Gets(A, new ConnackPacket(false))
                .Opens(B, Connect(ProtocolVersion.V5))
                .Gets(B, new ConnackPacket(false))
                .Drop(A)
                .Opens(A, Connect(ProtocolVersion.V311) with { CleanStart = false })
                .Gets(A, new ConnackPacket(false))
                .Drop(A)
                .Opens(A, Connect(ProtocolVersion.V311) with { CleanStart = false })
                .Gets(A, new ConnackPacket(true));
    }

    // The identifiers differ (MQTT-3.1.3-2), so nobody was taken over.
    [TestCase("xabc", "xABC", "identifiers-differ")]
    [TestCase("0123456789012345678901234", "0123456789012345678901235", "identifiers-differ")]
    [TestCase("xabc", "xabd", "connection-kept")]
    public void A_connection_that_ends_for_another_identifier_tells_how_it_differs(
        string first,
        string second,
        string expected
    ) =>
        new TraceScript(ProtocolVersion.V5)
            .Opens(A, Connect(ProtocolVersion.V5) with { ClientId = first })
            .Gets(A, new ConnackPacket(false))
            .Opens(B, Connect(ProtocolVersion.V5) with { ClientId = second })
            .Gets(B, new ConnackPacket(false))
            .Closed(A)
            .Finds(expected);

    [Test]
    public void A_connection_that_went_on_behind_the_other_CONNECT_ended_for_something_else() =>
        new TraceScript(ProtocolVersion.V5)
            .Opens(A, Connect(ProtocolVersion.V5) with { ClientId = "xabc" })
            .Gets(A, new ConnackPacket(false))
            .Opens(B, Connect(ProtocolVersion.V5) with { ClientId = "xABC" })
            .Gets(B, new ConnackPacket(false))
            .Subscribe(A, "x/a", 1)
            .Closed(A)
            .Finds("connection-kept");

    private static ConnectPacket Connect(ProtocolVersion version, bool? wantsProblems = null) =>
        new()
        {
            ProtocolVersion = version,
            CleanStart = true,
            ClientId = $"x{version}",
            Properties = new PacketProperties { RequestProblemInformation = wantsProblems },
        };

    private static TraceScript Refused(int qos) =>
        new TraceScript(ProtocolVersion.V5)
            .Connect(A, clean: false, expiry: 1000)
            .Subscribe(A, "x/a", 2)
            .Connect(B)
            .Publish(B, "x/a", qos, 1)
            .Deliver(A, "x/a", qos, 1, Id, acknowledge: false)
            .Sends(
                A,
                qos == 1
                    ? new PubackPacket(Id, ReasonCode.QuotaExceeded)
                    : new PubrecPacket(Id, ReasonCode.QuotaExceeded)
            );
}
