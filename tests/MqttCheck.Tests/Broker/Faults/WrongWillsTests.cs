using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Tests.Broker.Faults.WrongCore;

namespace MqttCheck.Tests.Broker.Faults;

/// <summary>Each wrong core loses or spoils wills in its one way.</summary>
[TestFixture]
internal sealed class WrongWillsTests
{
    [TestCase(BrokerMutant.WillLostOnError, "taken told lost silent")]
    [TestCase(BrokerMutant.WillLostAtTakeOver, "error told lost silent")]
    [TestCase(BrokerMutant.WillLostOnDisconnect, "error taken lost silent")]
    [TestCase(BrokerMutant.SilentWithoutWill, "error taken told lost")]
    public void A_will_is_lost_by_one_way_to_end(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "error taken told lost silent",
            wrong,
            bench =>
            {
                var witness = Witness(bench);
                var clients = new[] { "error", "taken", "told", "lost", "silent" }.ToDictionary(
                    way => way,
                    way => bench.Join(way, 0, will: Will(way), keepAlive: (ushort)(way == "silent" ? 10 : 0))
                );
                clients["error"].SendBytes(0xF1, 0);
                bench.Join("taken", 0);
                clients["told"].Disconnect(ReasonCode.DisconnectWithWill);
                clients["lost"].Lose();
                bench.Pass(16);
                return witness.Payloads();
            }
        );

    [TestCase(BrokerMutant.WillDelayIgnored, "0 0")]
    [TestCase(BrokerMutant.WillDelayAtMostTwo, "2 1")]
    public void A_will_does_not_wait_for_its_whole_delay(BrokerMutant mutant, string wrong) =>
        Differs(
            mutant,
            "10 1",
            wrong,
            bench => $"{SecondsToWill(bench, "long", 10)} {SecondsToWill(bench, "short", 1)}"
        );

    [Test]
    public void A_will_that_waits_is_published_on_a_resume() =>
        Differs(
            BrokerMutant.WillDelayNotCancelled,
            "",
            "gone",
            bench =>
            {
                var witness = Witness(bench);
                bench.Join("a", will: Will("gone", delay: 10)).Lose();
                bench.Pass(5);
                bench.Join("a");
                bench.Pass(100);
                return witness.Payloads();
            }
        );

    [Test]
    public void A_will_that_waits_is_not_published_at_the_end_of_its_session() =>
        Differs(
            BrokerMutant.WillOutlivesSession,
            "gone",
            "",
            bench =>
            {
                var witness = Witness(bench);
                bench.Join("a", 10, will: Will("gone", delay: 100)).Lose();
                bench.Pass(11);
                return witness.Payloads();
            }
        );

    [Test]
    public void A_will_is_not_retained() =>
        Differs(
            BrokerMutant.WillNotRetained,
            "gone",
            "",
            bench =>
            {
                bench.Join("a", will: Will("gone", retain: true)).Lose();
                return Witness(bench).Payloads();
            }
        );

    [Test]
    public void A_will_loses_its_properties() =>
        Differs(
            BrokerMutant.WillPropertiesDropped,
            "text",
            "none",
            bench =>
            {
                var witness = Witness(bench);
                bench.Join("a", will: Will("gone")).Lose();
                return witness.Take<PublishPacket>().Properties.ContentType ?? "none";
            }
        );

    [Test]
    public void A_discarded_will_is_that_of_the_next_connection() =>
        Differs(
            BrokerMutant.WillOfEarlierConnection,
            "",
            "gone",
            bench =>
            {
                var witness = Witness(bench);
                bench.Join("a", will: Will("gone")).Disconnect();
                bench.Join("a").Lose();
                return witness.Payloads();
            }
        );

    [Test]
    public void A_normal_DISCONNECT_does_not_discard_the_will() =>
        Differs(
            BrokerMutant.WillAfterDisconnect,
            "",
            "gone",
            bench =>
            {
                var witness = Witness(bench);
                bench.Join("a", will: Will("gone")).Disconnect();
                return witness.Payloads();
            }
        );

    private static BenchClient Witness(BrokerBench bench)
    {
        var witness = bench.Join("witness");
        witness.Subscribe("will", 0);
        return witness;
    }

    private static int SecondsToWill(BrokerBench bench, string clientId, uint delay)
    {
        var witness = Witness(bench);
        bench.Join(clientId, will: Will("gone", delay)).Lose();
        var seconds = 0;
        for (; !witness.HasReceived && seconds < 100; seconds++)
            bench.Pass(1);
        return seconds;
    }
}
