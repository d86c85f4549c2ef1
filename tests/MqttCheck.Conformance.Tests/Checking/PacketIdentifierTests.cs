using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Checking;

[TestFixture]
internal sealed class PacketIdentifierTests
{
    [TestCase("A publish ~/a qos=1; A publish ~/a qos=1 reuse", ExpectedResult = "2 2")]
    [TestCase("A publish ~/a qos=2; A publish ~/a qos=2 dup reuse", ExpectedResult = "2 2")]
    [TestCase("A publish ~/a qos=2 reuse; A publish ~/a qos=1", ExpectedResult = "1 2")]
    [TestCase("A publish ~/a qos=1; & A publish ~/a qos=1 reuse", ExpectedResult = "2 1")]
    [TestCase("A publish ~/a qos=1; A publish ~/a qos=1 reuse; & A publish ~/a qos=1 reuse", ExpectedResult = "2 2 3")]
    public string An_identifier_is_used_again_when_its_exchange_has_ended(string publications)
    {
        using var broker = new VirtualBroker();
        return Sent(broker.Run(Scenario(publications, ProtocolVersion.V5)));
    }

    [TestCase(ProtocolVersion.V311, 1, 2)]
    [TestCase(ProtocolVersion.V311, 2, 2)]
    [TestCase(ProtocolVersion.V5, 1, 1)]
    [TestCase(ProtocolVersion.V5, 2, 1)]
    public void A_publication_that_is_sent_twice_gets_two_answers_and_is_sent_once_where_that_is_forbidden(
        ProtocolVersion version,
        int qos,
        int times
    )
    {
        using var broker = new VirtualBroker();
        var result = broker.Run(Scenario($"A publish ~/a qos={qos} repeat", version));
        Assert.That(Sent(result), Is.EqualTo(string.Join(' ', Enumerable.Repeat(2, times))));
        Assert.That(
            result.Monitor.Trace.Count(entry =>
                entry is { Kind: TraceKind.Received, Packet: PubackPacket or PubrecPacket }
            ),
            Is.EqualTo(times)
        );
    }

    // What was sent twice may be answered twice: its identifier is not offered again.
    [Test]
    public void The_identifier_of_a_publication_that_was_sent_twice_is_left_alone()
    {
        using var broker = new VirtualBroker();
        Assert.That(
            Sent(
                broker.Run(
                    Scenario("A publish ~/a qos=1 repeat; A ping; A publish ~/a qos=1 reuse", ProtocolVersion.V311)
                )
            ),
            Is.EqualTo("2 2 1")
        );
    }

    // "The sender ... MUST send a PUBREL packet when it receives a PUBREC packet" (MQTT-4.3.3-4): what a client left
    // unanswered at QoS 1 is over with PUBACK.
    [Test]
    public void A_message_of_QoS_2_is_released_though_its_identifier_was_left_unanswered_before()
    {
        using var broker = new VirtualBroker();
        var result = broker.Run(
            Scenario("A publish ~/a qos=1 cut=publish; A ping; A publish ~/a qos=2 reuse", ProtocolVersion.V311)
        );
        Assert.That(Sent(result), Is.EqualTo("2 2"));
        Assert.That(
            result.Monitor.Trace.Count(entry =>
                entry is { Kind: TraceKind.Sent, Packet: PubrelPacket { PacketId: 2 } }
            ),
            Is.EqualTo(1)
        );
    }

    private static Scenario Scenario(string publications, ProtocolVersion version) =>
        ScenarioText.Parse($"A connect clean; A subscribe ~/a:2; {publications}", version, "test");

    private static string Sent(ScenarioResult result)
    {
        Assert.That(result.Deviations.Select(deviation => deviation.Explanation), Is.Empty);
        return string.Join(
            ' ',
            result
                .Monitor.Trace.Where(entry => entry.Kind == TraceKind.Sent)
                .Select(entry => entry.Packet)
                .OfType<PublishPacket>()
                .Select(publish => publish.PacketId)
        );
    }
}
