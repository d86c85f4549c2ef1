using MqttCheck.Brokers.Processes;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>
/// What MQTT 5 adds to the fleet: reason codes, properties, session expiry, a server that says goodbye.
/// </summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
public sealed class FleetVersion5Tests
{
    [Test]
    public void The_two_versions_make_the_same_exchanges([Values] QualityOfService qos)
    {
        var (old, current) = (VirtualRun.Of(VirtualRun.Profile(qos: qos)), Version5(qos));

        old.Run();
        current.Run();

        Assert.That(current.Log.Exchanges, Is.EqualTo(old.Log.Exchanges));
    }

    [Test]
    public void A_session_outlives_its_connection_only_inside_a_sequence()
    {
        var run = Version5();

        run.Run();

        var connects = run.Received<ConnectPacket>();
        Assert.That(
            connects
                .Where(connect => !connect.CleanStart)
                .Select(connect => connect.Properties.SessionExpiryIntervalSeconds),
            Has.All.EqualTo(2 * 86_400)
        );
        Assert.That(
            connects
                .Where(connect => connect.CleanStart)
                .Select(connect => connect.Properties.SessionExpiryIntervalSeconds),
            Has.All.Null
        );
        Assert.That(connects.Select(connect => connect.ProtocolVersion), Has.All.EqualTo(ProtocolVersion.V5));
    }

    [TestCase(typeof(SubscribePacket), 1, "the broker refused the subscription (SUBACK 128: UnspecifiedError)")]
    [TestCase(typeof(UnsubscribePacket), 1, "the broker refused to unsubscribe (UNSUBACK 135: NotAuthorized)")]
    [TestCase(typeof(PublishPacket), 1, "the broker refused the message (151: QuotaExceeded)")]
    [TestCase(typeof(PublishPacket), 2, "the broker refused the message (151: QuotaExceeded)")]
    public void A_refusal_is_told_with_its_reason_and_the_client_goes_on(Type type, int qos, string words)
    {
        var run = Version5((QualityOfService)qos);
        var refused = 0;
        run.Broker.Script = (_, packet) => packet.GetType() == type && refused++ == 0 ? Fault.Refuse : Fault.None;
        var result = run.Run();
        Assert.That(
            (result.Count(ExchangeOutcome.Refused), run.Failed.Single().Outcome),
            Is.EqualTo((1, ExchangeOutcome.Refused))
        );
        Assert.That(result.FirstFailures.Single(), Does.EndWith(words));
        Assert.That(result.Outcomes, Has.Count.EqualTo(20));
    }

    [Test]
    public void A_broker_that_says_goodbye_loses_the_connection_with_its_reason()
    {
        var run = Version5();
        var left = 0;
        run.Broker.Script = (_, packet) => packet is PublishPacket && left++ == 0 ? Fault.Leave : Fault.None;

        var result = run.Run();

        Assert.That(
            run.Failed.Select(exchange => exchange.Outcome),
            Is.EqualTo(new[] { ExchangeOutcome.ConnectionLost })
        );
        Assert.That(
            result.FirstFailures.Single(),
            Does.EndWith("the broker ended the connection (DISCONNECT 139: ServerShuttingDown)")
        );
    }

    [Test]
    [Category("Whole")]
    public void A_keep_alive_that_the_broker_asks_for_is_kept()
    {
        var run = VirtualRun.Of(VirtualRun.Profile(wait: new UniformLaw(1000, 3000)), ProtocolVersion.V5);
        run.Broker.ConnackProperties = new() { ServerKeepAliveSeconds = 1 };
        run.Broker.AnswersPings = true;

        var result = run.Run();

        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(run.Received<PingreqPacket>(), Has.Count.GreaterThan(20));
    }

    [Test]
    public void A_broker_that_serves_less_than_the_profile_needs_ends_the_run_with_both_numbers()
    {
        var (run, small) = (Version5(QualityOfService.ExactlyOnce), Version5());
        run.Broker.ConnackProperties = new() { MaximumQos = QualityOfService.AtLeastOnce };
        small.Broker.ConnackProperties = new() { MaximumPacketSizeBytes = 60 };

        Assert.That(
            () => run.Run(),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.EqualTo(
                    "Profile test uses quality of service 2; the broker at "
                        + "127.0.0.1:1883 serves at most 1 (CONNACK, Maximum QoS)."
                )
        );
        Assert.That(
            () => small.Run(),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Contains("the broker at 127.0.0.1:1883 takes at most 60 (CONNACK, Maximum Packet Size).")
        );
    }

    private static VirtualRun Version5(QualityOfService qos = QualityOfService.AtLeastOnce) =>
        VirtualRun.Of(VirtualRun.Profile(qos: qos), ProtocolVersion.V5);
}
