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
    public void Every_client_has_exactly_the_counted_sequences([Values] QualityOfService qos)
    {
        var run = Version5(qos);

        var result = run.Run();

        using var _ = Assert.EnterMultipleScope();
        Assert.That(run.Failed, Is.Empty);
        Assert.That(
            result.Outcomes.Select(outcome => outcome.Status),
            Has.All.EqualTo(OutcomeStatus.Completed).And.Exactly(20).Items
        );
        Assert.That(
            (result.Lost, result.Duplicates, result.Strays, result.SessionsLeft, run.Broker.Sessions),
            Is.EqualTo((0, 0, 0, 0, 0))
        );
    }

    [Test]
    public void The_two_versions_make_the_same_exchanges([Values] QualityOfService qos)
    {
        var (old, current) = (new VirtualRun(), Version5(qos));
        old.Setup = old.Setup with { Population = current.Setup.Population };

        old.Run();
        current.Run();

        Assert.That(current.Log.Exchanges, Is.EqualTo(old.Log.Exchanges));
    }

    [Test]
    public void A_session_outlives_its_connection_only_inside_a_sequence()
    {
        var run = Version5();

        run.Run();

        var connects = run.Broker.Received.Select(received => received.Packet).OfType<ConnectPacket>().ToArray();
        using var _ = Assert.EnterMultipleScope();
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

    [TestCase(typeof(SubscribePacket), "the broker refused the subscription (SUBACK 128: UnspecifiedError)")]
    [TestCase(typeof(UnsubscribePacket), "the broker refused to unsubscribe (UNSUBACK 135: NotAuthorized)")]
    [TestCase(typeof(PublishPacket), "the broker refused the message (151: QuotaExceeded)")]
    public void A_refusal_is_told_with_its_reason_and_the_client_goes_on(Type type, string words)
    {
        var run = Version5();
        var refused = 0;
        run.Broker.Script = (_, packet) => packet.GetType() == type && refused++ == 0 ? Fault.Refuse : Fault.None;

        var result = run.Run();

        using var _ = Assert.EnterMultipleScope();
        Assert.That(result.Count(ExchangeOutcome.Refused), Is.EqualTo(1));
        Assert.That(run.Failed.Single().Outcome, Is.EqualTo(ExchangeOutcome.Refused));
        Assert.That(result.FirstFailures.Single(), Does.EndWith(words));
        Assert.That(result.Outcomes, Has.Count.EqualTo(20));
    }

    [Test]
    public void A_refused_QoS_2_message_ends_with_its_PUBREC()
    {
        var run = Version5(QualityOfService.ExactlyOnce);
        var refused = 0;
        run.Broker.Script = (_, packet) => packet is PublishPacket && refused++ == 0 ? Fault.Refuse : Fault.None;

        var result = run.Run();

        Assert.That(
            (result.Count(ExchangeOutcome.Refused), result.FirstFailures.Single()),
            Is.EqualTo((1L, result.FirstFailures[0]))
        );
        Assert.That(result.FirstFailures[0], Does.EndWith("the broker refused the message (151: QuotaExceeded)"));
    }

    [Test]
    public void A_refused_connection_is_told_with_its_reason()
    {
        var run = Version5();
        run.Broker.Script = (_, packet) => packet is ConnectPacket ? Fault.Refuse : Fault.None;

        Assert.That(
            () => run.Run(),
            Throws.TypeOf<BrokerException>().With.Message.Contains("CONNACK 135: NotAuthorized")
        );
    }

    [Test]
    public void A_broker_that_says_goodbye_loses_the_connection_with_its_reason()
    {
        var run = Version5();
        var left = 0;
        run.Broker.Script = (_, packet) => packet is PublishPacket && left++ == 0 ? Fault.Leave : Fault.None;

        var result = run.Run();

        using var _ = Assert.EnterMultipleScope();
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
        var run = Version5();
        run.Setup = run.Setup with { Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(1000, 3000))) };
        run.Broker.ConnackProperties = new() { ServerKeepAliveSeconds = 1 };
        run.Broker.AnswersPings = true;

        var result = run.Run();

        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(run.Broker.Received.Count(received => received.Packet is PingreqPacket), Is.GreaterThan(20));
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

    private static VirtualRun Version5(QualityOfService qos = QualityOfService.AtLeastOnce)
    {
        var run = new VirtualRun();
        run.Broker.Version = ProtocolVersion.V5;
        run.Setup = run.Setup with
        {
            ProtocolVersion = ProtocolVersion.V5,
            Population = Population.Of(VirtualRun.Profile(qos: qos)),
        };
        return run;
    }
}
