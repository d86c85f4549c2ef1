using MqttCheck.Broker.Core;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Loads;

/// <summary>What a load says of a broker that fails.</summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
internal sealed class LoadFaultTests
{
    [Test]
    public void Messages_that_the_broker_loses_are_lost([Values] WorkloadShape shape)
    {
        var load = new VirtualLoad("lose:0.01");
        var workload = VirtualLoad.Workload() with { Shape = shape };
        var result = load.Run(workload);
        Assert.That(result.Counters[LoadOutcome.Lost], Is.Positive);
        Assert.That(
            result.Counters[LoadOutcome.Lost] + result.Counters[LoadOutcome.Delivered],
            Is.EqualTo(result.Counters.Messages)
        );
        Assert.That(
            load.Log.Counted.Where(message => message.Outcome == LoadOutcome.Lost)
                .Select(message => message.Deliveries),
            Is.All.LessThan(workload.ReceiversPerMessage)
        );
        Assert.That((result.Counters.Duplicates, result.Counters.Reordered), Is.EqualTo((0, 0)));
    }

    [Test]
    [Category("Whole")]
    public void A_closed_loop_of_QoS_0_goes_on_after_losses()
    {
        var load = new VirtualLoad("lose:0.05");
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Qos = QualityOfService.AtMostOnce,
                SubscribeQos = QualityOfService.AtMostOnce,
                Duration = TimeSpan.FromSeconds(5),
            }
        );
        Assert.That(load.Log.Counted.Max(message => message.SentNanoseconds), Is.GreaterThan(4_000_000_000));
    }

    [Test]
    public void Messages_that_come_twice_are_duplicates_and_count_once()
    {
        var load = new VirtualLoad("duplicate:0.01");
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Qos = QualityOfService.ExactlyOnce,
                SubscribeQos = QualityOfService.ExactlyOnce,
            }
        );
        Assert.That(result.Counters.Duplicates, Is.Positive);
        Assert.That(load.Log.Messages.Select(message => message.Outcome), Is.All.EqualTo(LoadOutcome.Delivered));
        Assert.That(load.Log.Messages.Select(message => message.Deliveries), Is.All.EqualTo(1));
    }

    [Test]
    public void Messages_that_come_after_later_ones_are_reordered()
    {
        var load = new VirtualLoad("reorder:0.01");
        var result = load.Run();
        Assert.That(
            result.Counters.Reordered,
            Is.Positive.And.EqualTo(load.Log.Messages.Count(message => message.IsReordered))
        );
        Assert.That(result.Counters.Duplicates, Is.Zero);
    }

    [Test]
    public void A_run_goes_on_when_connections_break_at_random(
        [Values] bool persistent,
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        var load = new VirtualLoad("disconnect:0.0005", change: setup => setup with { Version = version });
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                PersistentSubscribers = persistent,
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 5000,
                Duration = TimeSpan.FromSeconds(3),
            }
        );
        Assert.That(result.Failure, Is.Null);
        Assert.That(result.Counters.ConnectionsLost, Is.GreaterThan(5));
        Assert.That(result.Notes[0], Does.Contain("closed the connection"));
        Assert.That(result.Counters.Messages, Is.EqualTo(15_000));
        // What a persistent subscriber misses comes later; only publishers can lose what was under way to the broker.
        if (persistent)
            Assert.That(result.Counters[LoadOutcome.Lost], Is.Zero);
    }

    [Test]
    public void A_payload_over_a_limit_that_the_broker_does_not_tell_ends_the_run_with_the_likely_cause(
        [Values] QualityOfService qos,
        [Values(ArrivalKind.Closed, ArrivalKind.Constant)] ArrivalKind arrivals
    )
    {
        var load = new VirtualLoad(
            limits: new() { PacketBytes = 1024 },
            change: setup => setup with { Version = ProtocolVersion.V311 }
        );
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Qos = qos,
                SubscribeQos = qos,
                Payload = LoadPayload.OfSize(2000),
                Arrivals = arrivals,
                MessagesPerSecond = 200,
                Duration = TimeSpan.FromMinutes(1),
            }
        );
        Assert.That(
            result.Failure,
            Does.Contain("payload of 2000 bytes")
                .And.Contain("no message at all")
                .And.Contain("larger than the broker allows")
                .And.Contain("--payload")
        );
        Assert.That(result.Counters[LoadOutcome.Delivered], Is.Zero);
        Assert.That(
            load.Log.Messages.Max(message => message.SentNanoseconds),
            Is.LessThan(5_000_000_000),
            "the run ends soon, not after its minute"
        );
    }

    [Test]
    public void Payloads_of_which_only_the_large_are_over_the_limit_end_the_run_with_the_largest_that_was_taken()
    {
        var load = new VirtualLoad(
            limits: new() { PacketBytes = 1024 },
            change: setup => setup with { Version = ProtocolVersion.V311 }
        );
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Payload = LoadPayload.Parse("500..2000", "test"),
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 200,
                Duration = TimeSpan.FromMinutes(1),
            }
        );
        var taken = load
            .Log.Messages.Where(message => message.Outcome == LoadOutcome.Delivered)
            .Max(message => message.PayloadBytes);
        Assert.That(result.Failure, Does.Contain($"has taken none above {taken} bytes"));
        Assert.That(taken, Is.InRange(500, 1024));
    }

    [Test]
    public void A_broker_that_takes_messages_and_delivers_none_is_remarked()
    {
        var load = new VirtualLoad("lose:1");
        var result = load.Run();
        Assert.That(result.Failure, Is.Null);
        Assert.That(
            result.Notes,
            Has.Some.Contains("took messages and delivered none").And.Some.Contains("payload of 100 bytes")
        );
    }

    [Test]
    public void A_broker_that_dies_ends_the_run_with_the_reason_and_every_message_has_an_outcome(
        [Values(ArrivalKind.Closed, ArrivalKind.Constant)] ArrivalKind arrivals
    )
    {
        var load = new VirtualLoad(delays: "publish=constant:5ms");
        load.After(TimeSpan.FromMilliseconds(500), load.Kill);
        load.Setup = load.Setup with { ConnectPatience = TimeSpan.FromSeconds(1) };
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Arrivals = arrivals,
                MessagesPerSecond = 2000,
                Duration = TimeSpan.FromMinutes(1),
            }
        );
        Assert.That(
            result.Failure,
            Does.Contain("no client was connected any more for 1 s").And.Contain("nobody answers")
        );
        Assert.That(result.Counters[LoadOutcome.Delivered], Is.Positive);
        if (arrivals == ArrivalKind.Closed)
            Assert.That(result.Counters[LoadOutcome.Lost] + result.Counters[LoadOutcome.Unacknowledged], Is.Positive);
        // An open loop goes on with its schedule while nobody is there: about a second's worth was due and never sent.
        Assert.That(
            result.Counters[LoadOutcome.Unsent],
            arrivals == ArrivalKind.Closed ? Is.Zero : Is.InRange(2000, 2400)
        );
    }

    [Test]
    public void A_run_goes_on_when_the_broker_is_restarted([Values] bool persistent)
    {
        var load = new VirtualLoad();
        load.After(TimeSpan.FromMilliseconds(300), load.Kill);
        load.After(TimeSpan.FromMilliseconds(700), load.Restart);
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                PersistentSubscribers = persistent,
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 1000,
                Duration = TimeSpan.FromSeconds(3),
            }
        );
        Assert.That(result.Failure, Is.Null);
        Assert.That(
            (result.Counters.ConnectionsLost, result.Counters.Messages, result.Counters[LoadOutcome.Unsent]),
            Is.EqualTo((10, 3000, 0))
        );
        // What was due while nobody was there was sent later, and its latency counts from when it was due.
        Assert.That(result.Times.Latency.QuantileNanoseconds(1) / 1e6, Is.GreaterThan(300));
        Assert.That(result.Notes, persistent ? Has.Some.Contains("forgot the session") : Has.None.Contains("forgot"));
    }

    // An acknowledged message may still come; one that nobody acknowledged, or whose session is gone, hardly does.
    [Test]
    public void A_run_waits_long_for_what_is_owed_and_briefly_for_what_is_not()
    {
        var owing = new VirtualLoad("lose:0.01");
        Assert.That(Waited(owing, LoadOutcome.Lost), Is.InRange(10.0, 11.0));
        // Before it ends it acknowledges nothing for a while.
        var dying = new VirtualLoad(delays: "stall=100ms@250ms");
        dying.After(TimeSpan.FromMilliseconds(300), dying.Kill);
        dying.After(TimeSpan.FromMilliseconds(350), dying.Restart);
        Assert.That(Waited(dying, LoadOutcome.Unacknowledged), Is.InRange(1.0, 2.0));
    }

    // The seconds between the last due message and the end of a run of a second that loses messages.
    private static double Waited(VirtualLoad load, LoadOutcome missing)
    {
        load.Setup = load.Setup with { Drain = TimeSpan.FromSeconds(10), DrainOfUnowed = TimeSpan.FromSeconds(1) };
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                PersistentSubscribers = true,
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 5000,
                InFlight = 100,
                Duration = TimeSpan.FromSeconds(1),
            }
        );
        Assert.That(result.Counters[missing], Is.Positive);
        return load.Wire.NowNanoseconds / 1e9 - load.Log.Messages.Max(message => message.IntendedNanoseconds) / 1e9;
    }

    [Test]
    public void A_stall_of_5_s_delays_what_was_due_in_it_and_loses_nothing(
        [Values(ArrivalKind.Closed, ArrivalKind.Constant)] ArrivalKind arrivals
    )
    {
        var load = new VirtualLoad(
            delays: "stall=5s@1s",
            change: setup => setup with { Drain = TimeSpan.FromSeconds(10) }
        );
        var isOpen = arrivals == ArrivalKind.Constant;
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Arrivals = arrivals,
                MessagesPerSecond = 500,
                InFlight = isOpen ? 2000 : 4,
                Duration = TimeSpan.FromSeconds(isOpen ? 8 : 1.5),
            }
        );
        Assert.That(result.Failure, Is.Null);
        Assert.That(result.Counters[LoadOutcome.Delivered], Is.EqualTo(result.Counters.Messages));
        Assert.That(
            (result.Counters.Duplicates, result.Counters.Reordered, result.Counters.ConnectionsLost),
            Is.EqualTo((0, 0, 0))
        );
        double Latency(LoadMessage message) =>
            (message.DeliveredNanoseconds - (isOpen ? message.IntendedNanoseconds : message.SentNanoseconds)) / 1e9;
        // An open loop: r (S - x) of those that were due in the stall wait longer than x. A closed one: what was in
        // flight.
        foreach (var x in (double[])[1, 2.5, 4])
            Assert.That(
                load.Log.Messages.Count(message => Latency(message) > x),
                isOpen ? Is.EqualTo(500 * (5 - x)).Within(10) : Is.EqualTo(5 * 4),
                $"above {x} s"
            );
    }

    [TestCase(
        new byte[] { 0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF },
        TestName = "A_run_goes_on_after_garbage_in_place_of_answers"
    )]
    [TestCase(new byte[] { 0x20, 0x03, 0x00, 0x88, 0x00 }, TestName = "A_run_goes_on_after_refusals_to_connect")]
    public void A_run_goes_on_after(byte[] answer)
    {
        var load = new VirtualLoad();
        load.After(
            TimeSpan.FromMilliseconds(300),
            () =>
            {
                load.Kill();
                load.Wire.Listen(new WireListener(load.Setup.Endpoint.Address), () => new WrongServer(answer));
            }
        );
        load.After(
            TimeSpan.FromMilliseconds(900),
            () =>
            {
                load.Wire.StopListening(load.Setup.Endpoint.Address);
                load.Restart();
            }
        );
        var result = load.Run(
            VirtualLoad.Workload() with
            {
                Arrivals = ArrivalKind.Constant,
                MessagesPerSecond = 1000,
                Duration = TimeSpan.FromSeconds(3),
            }
        );
        Assert.That(result.Failure, Is.Null);
        Assert.That(
            (result.Counters.ConnectionsLost, result.Counters.Messages, result.Counters[LoadOutcome.Unsent]),
            Is.EqualTo((10, 3000, 0))
        );
    }

    [TestCase(2000, QualityOfService.AtLeastOnce, "1024 at most")]
    [TestCase(2000, QualityOfService.AtLeastOnce, "packets of up to 20")]
    [TestCase(100, QualityOfService.ExactlyOnce, "QoS 1 at most")]
    public void What_the_broker_does_not_offer_is_said_before_the_load_begins(
        int bytes,
        QualityOfService qos,
        string reason
    )
    {
        var load = new VirtualLoad(limits: new() { PacketBytes = 1024, MaximumQos = QualityOfService.AtLeastOnce });
        Assert.That(
            () => load.Run(VirtualLoad.Workload() with { Payload = LoadPayload.OfSize(bytes), Qos = qos }),
            Throws.TypeOf<InputException>().With.Message.Contains(reason)
        );
        Assert.That(load.Log.Messages, Is.Empty);
    }

    // CONNACK of MQTT 5 with reason code 0x87, not authorized; garbage; nobody.
    [TestCase("2003008700", "refuses a client with NotAuthorized", "--user")]
    [TestCase("20FFFFFFFFFF", "bytes that are no MQTT packet", "")]
    [TestCase("", "0 of 10 clients could connect to 127.0.0.1", "nobody answers")]
    public void A_broker_that_takes_no_client_is_an_error_with_its_reason(string answer, string reason, string more)
    {
        var load = new VirtualLoad();
        load.Kill();
        if (answer.Length > 0)
            load.Wire.Listen(
                new WireListener(load.Setup.Endpoint.Address),
                () => new WrongServer(Convert.FromHexString(answer))
            );

        Assert.That(
            () => load.Run(),
            Throws.TypeOf<BrokerException>().With.Message.Contains(reason).And.Message.Contains(more)
        );
    }

    [Test]
    public void A_broker_that_refuses_some_connections_is_asked_again()
    {
        var load = new VirtualLoad("disconnect:0.05", change: setup => setup with { Drain = TimeSpan.FromSeconds(1) });
        var result = load.Run(VirtualLoad.Workload() with { Arrivals = ArrivalKind.Constant, MessagesPerSecond = 100 });
    }

    [Test]
    public void A_setup_that_is_wrong_is_refused_with_every_finding()
    {
        var load = new VirtualLoad();
        var wrong = Assert.Throws<InputException>(() =>
            load.Run(VirtualLoad.Workload() with { Topic = "a/#", InFlight = 0 })
        );
        Assert.That(wrong!.Message.Split('\n'), Has.Length.EqualTo(2));
    }

    [Test]
    public void A_log_that_cannot_be_written_ends_the_run()
    {
        var load = new VirtualLoad();
        var failure = Assert.Throws<IOException>(() =>
            new LoadRun(load.Setup, new FullDisk(), TimeProvider.System, createWire: _ => load.Wire).Run()
        );
        Assert.That(failure!.Message, Does.Contain("no space"));
    }

    // Answers whatever comes with the same bytes.
    private sealed class WrongServer(byte[] answer) : IWireHandler
    {
        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) { }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            connection.Send(answer);
            return bytes.Length;
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) { }
    }

    private sealed class FullDisk : ILoadSink
    {
        private int _count;

        public void Append(in LoadMessage message)
        {
            if (++_count > 50)
                throw new IOException("log x: no space left on device");
        }

        public void AppendRepeat(in LoadRepeat repeat) { }
    }
}
