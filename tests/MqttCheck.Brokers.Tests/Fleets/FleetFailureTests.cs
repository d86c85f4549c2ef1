using System.Net;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>
/// Runs against a broker that fails, in virtual time: the run goes on or ends with the reason, and the log holds every
/// exchange once.
/// </summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
public sealed class FleetFailureTests
{
    [Test]
    public void Nobody_at_the_address_ends_the_run_at_once_with_the_reason()
    {
        var run = new VirtualRun();
        run.Wire.StopListening(VirtualRun.BrokerAddress);

        Assert.That(
            run.Failure(),
            Does.StartWith("No client could connect to 127.0.0.1:1883: nobody answers at the address")
        );
        Assert.That(
            run.Log.Exchanges.Where(exchange => exchange.Outcome != ExchangeOutcome.Cancelled),
            Has.Exactly(5)
                .Matches<Exchange>(exchange =>
                    exchange
                        is {
                            Message: MessageKind.Connect,
                            Outcome: ExchangeOutcome.Refused,
                            LatencyMilliseconds: double.NaN
                        }
                )
        );
        Assert.That(run.Log.Exchanges.Max(exchange => exchange.EndMicroseconds), Is.LessThan(1e6));
    }

    // Clients 0, 2 and 4 of five are at a node where nobody answers.
    [TestCase(true)]
    [TestCase(false)]
    public void Clients_of_a_node_that_is_gone_go_to_the_next_one_only_where_they_may(bool failover)
    {
        var gone = new IPEndPoint(IPAddress.Loopback, 1884);
        var run = new VirtualRun(setup =>
            setup with
            {
                Nodes = [new WireEndpoint(gone), new WireEndpoint(VirtualRun.BrokerAddress)],
                Failover = failover,
            }
        );
        if (!failover)
        {
            Assert.That(run.Failure(), Does.Match("Client [024] of 5 could not connect"));
            return;
        }
        run.Run();
        Assert.That(run.Failed.Select(exchange => exchange.Client), Is.EquivalentTo([0, 2, 4]));
        Assert.That(run.Failed.Select(exchange => exchange.Message), Is.All.EqualTo(MessageKind.Connect));
        Assert.That(
            run.Log.Exchanges.Where(exchange => exchange.Outcome == ExchangeOutcome.Success)
                .Select(exchange => exchange.Client)
                .Distinct(),
            Is.EquivalentTo([0, 1, 2, 3, 4])
        );
    }

    [Test]
    public void A_loss_that_is_told_late_ends_no_exchange_before_it_began()
    {
        var run = new VirtualRun { Through = wire => new HandlerWire(wire, (handler, _) => new EarlyLoss(handler)) };
        var publications = 0;
        run.Broker.Script = (_, packet) =>
            packet is PublishPacket && ++publications % 5 == 0 ? Fault.Close : Fault.None;
        run.Run();
        Assert.That(run.Failed.Select(exchange => exchange.Outcome), Has.Member(ExchangeOutcome.ConnectionLost));
        Assert.That(
            run.Log.Exchanges,
            Has.All.Matches<Exchange>(exchange => exchange.EndMicroseconds >= exchange.SentMicroseconds)
        );
    }

    [TestCase(ProtocolVersion.V311, "CONNACK 5: not authorized")]
    [TestCase(ProtocolVersion.V5, "CONNACK 135: NotAuthorized")]
    public void A_refusal_ends_the_run_with_the_brokers_answer_in_words(ProtocolVersion version, string answer)
    {
        var run = VirtualRun.Of(VirtualRun.Profile(), version);
        run.Broker.Script = (_, packet) => packet is ConnectPacket ? Fault.Refuse : Fault.None;
        Assert.That(
            run.Failure(),
            Is.EqualTo($"No client could connect to 127.0.0.1:1883: the broker refused the connection ({answer}).")
        );
    }

    [Test]
    public void A_silent_broker_ends_the_run_after_the_timeout()
    {
        var run = new VirtualRun();
        run.Broker.Script = (_, _) => Fault.Ignore;

        Assert.That(run.Failure(), Does.Contain("no answer in time"));
        Assert.That(run.Log.Exchanges.Max(exchange => exchange.EndMicroseconds), Is.InRange(10e6, 11e6));
    }

    [Test]
    public void One_client_that_is_always_refused_ends_the_run_and_is_named()
    {
        var run = new VirtualRun(setup => setup with { CountedSequences = 1000 });
        run.Broker.Script = (client, packet) =>
            client.EndsWith("c3", StringComparison.Ordinal) && packet is ConnectPacket ? Fault.Refuse : Fault.None;

        Assert.That(
            run.Failure(),
            Does.StartWith("Client 3 of 5 could not connect to 127.0.0.1:1883 for 1")
                .And.Contain("CONNACK 5: not authorized")
        );
        // 100 ms, doubled up to 2 s: attempts within the 15 s of patience do not spin.
        Assert.That(
            run.Log.Exchanges.Count(exchange => exchange is { Client: 3, Outcome: ExchangeOutcome.Refused }),
            Is.InRange(8, 14)
        );
    }

    [TestCase(Fault.Refuse, MessageKind.Subscribe, ExchangeOutcome.Refused)]
    [TestCase(Fault.Ignore, MessageKind.Publish, ExchangeOutcome.Timeout)]
    [TestCase(Fault.Abort, MessageKind.Publish, ExchangeOutcome.ConnectionLost)]
    [TestCase(Fault.Close, MessageKind.Publish, ExchangeOutcome.ConnectionLost)]
    [TestCase(Fault.Garbage, MessageKind.Publish, ExchangeOutcome.Violation)]
    [TestCase(Fault.Unasked, MessageKind.Publish, ExchangeOutcome.Violation)]
    public void A_broken_exchange_fails_its_sequence_and_the_client_goes_on(
        Fault fault,
        MessageKind kind,
        ExchangeOutcome outcome
    )
    {
        var run = new VirtualRun();
        var isBroken = false;
        run.Broker.Script = (_, packet) =>
        {
            var isIt = kind == MessageKind.Subscribe ? packet is SubscribePacket : packet is PublishPacket;
            if (isBroken || !isIt)
                return Fault.None;
            isBroken = true;
            return fault;
        };
        var result = run.Run();
        var failed = run.Failed.Single();
        Assert.That((failed.Message, failed.Outcome), Is.EqualTo((kind, outcome)));
        if (outcome == ExchangeOutcome.Timeout)
            Assert.That(failed.EndMicroseconds - failed.SentMicroseconds, Is.InRange(10e6, 10.2e6));
        Assert.That(
            result.Outcomes.Where(one => one.Status == OutcomeStatus.Failed).Select(one => (one.Client, one.Sequence)),
            Is.EqualTo(failed.Phase == ExchangePhase.Counted ? new[] { (failed.Client, failed.Sequence) } : [])
        );
        Assert.That((result.Outcomes.Count, run.Broker.Sessions), Is.EqualTo((20, 0)));
    }

    [Test]
    public void Lost_messages_time_out_or_are_given_up_when_their_receiver_leaves()
    {
        var run = new VirtualRun();
        run.Broker.Script = (_, packet) => packet is PublishPacket ? Fault.Lose : Fault.None;

        var result = run.Run();

        var awaiting = run
            .Log.Exchanges.Where(exchange => exchange is { Message: MessageKind.Publish, Subscribers: > 0 })
            .ToArray();
        var timedOut = awaiting.Where(exchange => exchange.Outcome == ExchangeOutcome.Timeout).ToArray();
        var released = awaiting.Where(exchange => exchange.Outcome == ExchangeOutcome.Success).ToArray();
        Assert.That(awaiting, Has.Length.EqualTo(timedOut.Length + released.Length));
        Assert.That(timedOut, Is.Not.Empty);
        Assert.That(released, Is.Not.Empty);
        Assert.That(awaiting.Select(exchange => exchange.Receivers), Has.All.Zero);
        Assert.That(
            released,
            Has.All.Matches<Exchange>(exchange => exchange.EndMicroseconds >= exchange.AcknowledgedMicroseconds)
        );
        Assert.That(result.Lost, Is.InRange(timedOut.Length, timedOut.Sum(exchange => exchange.Subscribers)));
    }

    [Test]
    public void Duplicates_and_strays_are_counted_and_fail_nothing()
    {
        var duplicating = new VirtualRun();
        duplicating.Broker.Script = (_, packet) => packet is PublishPacket ? Fault.Duplicate : Fault.None;
        var straying = new VirtualRun();
        straying.Broker.Script = (_, packet) => packet is PublishPacket ? Fault.Stray : Fault.None;

        var duplicated = duplicating.Run();
        var strayed = straying.Run();

        Assert.That(duplicating.Failed.Concat(straying.Failed), Is.Empty);
        Assert.That(
            (duplicated.Strays, strayed.Duplicates, duplicated.Duplicates),
            Is.EqualTo((0, 0, duplicated.Deliveries / 2))
        );
        Assert.That(
            strayed.Strays,
            Is.GreaterThanOrEqualTo(
                straying.Log.Exchanges.Sum(exchange => exchange.Message == MessageKind.Publish ? exchange.Receivers : 0)
            )
        );
    }

    [Test]
    public void A_broker_that_forgets_a_session_violates_the_standard()
    {
        var run = new VirtualRun();
        var forgotten = false;
        run.Broker.Script = (client, packet) =>
        {
            if (packet is ConnectPacket { CleanStart: false } && !forgotten)
                forgotten = run.Broker.Forget(client);
            return Fault.None;
        };

        var result = run.Run();

        Assert.That(
            run.Failed.Select(exchange => (exchange.Message, exchange.Outcome)),
            Is.EqualTo(new[] { (MessageKind.Connect, ExchangeOutcome.Violation) })
        );
        Assert.That(result.FirstFailures[0], Does.Contain("session present 0"));
    }

    [Test]
    public void A_broker_that_leaves_closing_to_the_client_costs_the_grace_of_a_second()
    {
        var run = new VirtualRun(setup => setup with { CountedSequences = 1, Clients = 1 });
        run.Broker.Script = (_, packet) => packet is DisconnectPacket ? Fault.Ignore : Fault.None;

        var result = run.Run();

        Assert.That(run.Failed, Is.Empty);
        Assert.That(result.Outcomes, Has.Count.EqualTo(1));
        Assert.That(
            run.Log.Exchanges.Where(exchange => exchange.Message == MessageKind.Disconnect)
                .Select(exchange => exchange.LatencyMilliseconds),
            Is.Not.Empty.And.All.InRange(1000, 1101)
        );
    }

    [Test]
    public void A_connection_lost_while_idle_fails_the_running_sequence()
    {
        var run = new VirtualRun(setup =>
            setup with
            {
                Population = Population.Of(VirtualRun.Profile(wait: new ConstantLaw(50))),
            }
        );
        run.After(TimeSpan.FromSeconds(1), run.Broker.DropAll);

        var result = run.Run();

        Assert.That(result.Outcomes.Count(outcome => outcome.Status == OutcomeStatus.Failed), Is.InRange(1, 5));
        Assert.That(result.Outcomes, Has.Count.EqualTo(20));
        Assert.That(result.FirstFailures, Is.Not.Empty.And.Some.Contain("while idle"));
    }

    [Test]
    public void A_broker_that_comes_back_within_the_patience_finds_the_run_going_on()
    {
        var run = new VirtualRun();
        run.After(
            TimeSpan.FromMilliseconds(50),
            () =>
            {
                run.Wire.StopListening(VirtualRun.BrokerAddress);
                run.Broker.DropAll();
            }
        );
        run.After(TimeSpan.FromSeconds(3), run.Broker.Restart);

        var result = run.Run();

        Assert.That(result.Outcomes, Has.Count.EqualTo(20));
        Assert.That(result.Outcomes.Count(outcome => outcome.Status == OutcomeStatus.Failed), Is.InRange(1, 5));
        Assert.That(result.Count(ExchangeOutcome.Refused), Is.InRange(5, 5 * 8));
        Assert.That(run.Broker.Sessions, Is.Zero);
    }

    [Test]
    public void A_broker_that_stays_away_ends_the_run_after_the_patience()
    {
        var run = new VirtualRun();
        run.After(
            TimeSpan.FromMilliseconds(50),
            () =>
            {
                run.Wire.StopListening(VirtualRun.BrokerAddress);
                run.Broker.DropAll();
            }
        );

        Assert.That(run.Failure(), Does.Contain("nobody answers at the address"));
        Assert.That(run.Log.Exchanges.Max(exchange => exchange.EndMicroseconds), Is.InRange(5e6, 7.5e6));
    }

    [Test]
    public void A_stall_of_5_s_is_waited_for_and_fails_nothing()
    {
        var run = new VirtualRun();
        run.After(TimeSpan.FromMilliseconds(50), () => run.Broker.Stall(TimeSpan.FromSeconds(5)));

        var result = run.Run();

        Assert.That(run.Failed, Is.Empty);
        Assert.That(result.Outcomes, Has.Count.EqualTo(20));
        // A client that is connected waits for one answer at a time.
        Assert.That(run.Log.Exchanges.Count(exchange => exchange.LatencyMilliseconds > 4900), Is.InRange(1, 5));
    }

    [Test]
    public void A_stall_longer_than_the_timeout_fails_what_was_open_and_the_run_goes_on()
    {
        var run = new VirtualRun(setup => setup with { ExchangeTimeout = TimeSpan.FromSeconds(1) });
        run.After(TimeSpan.FromMilliseconds(50), () => run.Broker.Stall(TimeSpan.FromSeconds(5)));

        var result = run.Run();

        Assert.That(
            run.Failed.Select(exchange => exchange.Outcome),
            Is.Not.Empty.And.All.EqualTo(ExchangeOutcome.Timeout)
        );
        Assert.That((result.Outcomes.Count, run.Broker.Sessions), Is.EqualTo((20, 0)));
    }

    [Test]
    public void A_sink_that_fails_ends_the_run_with_its_exception()
    {
        var run = new VirtualRun();

        var failure = Assert.Throws<IOException>(() =>
            new FleetRun(run.Setup, new FullDisk(), null, _ => run.Wire).Run()
        );

        Assert.That(failure.Message, Is.EqualTo("no space left"));
    }

    [Test]
    [Category("Whole")]
    public void Whatever_the_broker_does_the_run_ends_and_the_log_is_whole()
    {
        Fault[] faults = Enum.GetValues<Fault>();
        var property = Prop.ForAll(
            Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
            seed =>
            {
                var random = RandomStream.For((ulong)seed);
                var qos = (QualityOfService)random.NextInt(3);
                var version = random.NextInt(2) == 0 ? ProtocolVersion.V311 : ProtocolVersion.V5;
                var run = new VirtualRun(
                    setup =>
                        setup with
                        {
                            ProtocolVersion = version,
                            Seed = (ulong)seed,
                            Population = Population.Of(VirtualRun.Profile(qos: qos)),
                            ExchangeTimeout = TimeSpan.FromSeconds(1),
                        },
                    pieces: random
                );
                run.Broker.Version = version;
                run.Broker.Script = (_, _) =>
                    random.NextInt(30) == 0 ? faults[random.NextInt(faults.Length)] : Fault.None;

                var result = run.Run();

                Assert.That(result.Outcomes, Has.Count.EqualTo(20));
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(80).WithReplay(4711UL, 1UL), property);
    }

    private sealed class FullDisk : IExchangeSink
    {
        public void Append(in Exchange exchange) => throw new IOException("no space left");
    }
}
