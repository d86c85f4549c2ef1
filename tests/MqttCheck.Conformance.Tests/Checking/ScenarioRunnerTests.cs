using System.Net;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Checking;

// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
public sealed class ScenarioRunnerTests
{
    // Every wait of the broker and of the run is on the virtual clock, and every choice has a seed: the same 3000
    // scenarios each time.
    [Test]
    [Category("Whole")]
    public void Random_scenarios_find_nothing_in_the_embedded_broker(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version,
        [Values(1, 16)] int lanes
    )
    {
        using var broker = new VirtualBroker();
        var report = broker.Check(version, lanes: lanes).Explore(TimeSpan.FromHours(10), 3000, CancellationToken.None);
        Assert.That(
            report.Findings,
            Is.Empty,
            string.Join(
                "\n",
                report.Findings.Select(finding =>
                    $"{finding.Key}: {finding.Deviation.Explanation} in {finding.Scenario}"
                )
            )
        );
        Assert.That(report.Commands, Is.GreaterThan(30_000));
    }

    // Ten brokers refuse half of all CONNECTs. Some refuse the first probe; with these seeds none refuses five.
    [Test]
    public void A_broker_speaks_a_version_unless_it_refuses_every_probe()
    {
        Assert.That(Enumerable.Range(1, 10).Select(seed => Refusal("refuse:0.5", (ulong)seed)), Is.All.Null);
        Assert.That(Refusal("refuse:1", 1), Is.EqualTo("A's CONNECT is refused with ServerUnavailable"));

        static string? Refusal(string faults, ulong seed)
        {
            using var broker = new VirtualBroker(faults, seed);
            return ScenarioRunner.Refusal(broker.Wire, broker.Target, ProtocolVersion.V5, CancellationToken.None);
        }
    }

    // A handshake of TLS may take longer than a later one. CONNECT of the first connection, sent last, would take the
    // second one over and end its session.
    [TestCase(0)]
    [TestCase(1)]
    public void CONNECTs_of_a_client_go_out_in_the_order_of_its_connections(int late)
    {
        using var broker = new VirtualBroker();
        var scenario = ScenarioText.Parse(
            "A connect clean; & A drop; & A connect resume expiry=1000; & A drop; & A connect resume expiry=1000; "
                + "A drop; A connect resume expiry=1000",
            ProtocolVersion.V5,
            "test"
        );
        using var wire = new HandlerWire(
            broker.Wire,
            (handler, number) => number == late ? new LateConnection(broker.Wire, handler) : handler
        );
        var result = new ScenarioRunner(wire, broker.Target, "t").Run(scenario, new CheckTiming());
        Assert.That(result.Deviations, Is.Empty);
        Assert.That(
            result.Monitor.Trace.Where(entry => entry.Packet is ConnectPacket).Select(entry => entry.Connection),
            Is.EqualTo([0, 1, 2, 3])
        );
    }

    [Test]
    public void The_same_seed_finds_the_same_scenario()
    {
        var first = Find();
        Assert.That(Find(), Is.EqualTo(first));

        static string Find()
        {
            using var broker = new VirtualBroker("ignore-unsubscribe:0.5");
            using var enough = new CancellationTokenSource();
            return broker
                .Check(ProtocolVersion.V311, found: _ => enough.Cancel())
                .Explore(TimeSpan.FromHours(10), 1000, enough.Token)
                .Findings[0]
                .Scenario.ToString();
        }
    }

    [Test]
    public void A_broker_that_does_not_listen_is_a_finding_and_no_hang()
    {
        using var wire = WireFactory.CreateInMemory();
        var runner = new ScenarioRunner(wire, new CheckTarget(new IPEndPoint(IPAddress.Loopback, 1)), "t");
        var result = runner.Run(ScenarioText.Parse("A connect clean", ProtocolVersion.V311, "test"), new CheckTiming());
        Assert.That(result.BrokerLost, Is.True);
        Assert.That(result.Deviations.Select(deviation => deviation.Statement.Name), Does.Contain("available"));
    }

    [Test]
    public void A_broker_that_never_answers_is_given_up_at_the_deadline()
    {
        using var wire = WireFactory.CreateInMemory();
        var address = wire.Listen(new IPEndPoint(IPAddress.Loopback, 0), () => new SilentBroker());
        var runner = new ScenarioRunner(wire, new CheckTarget(address), "t");
        var result = runner.Run(
            ScenarioText.Parse("A connect clean; A publish ~/a qos=1", ProtocolVersion.V311, "test"),
            new CheckTiming()
        );
        Assert.That(result.Deviations.Select(deviation => deviation.Statement.Name), Is.EqualTo(["connack"]));
    }

    [TestCase(false, ExpectedResult = "puback pingresp")]
    [TestCase(true, ExpectedResult = "")]
    public string While_messages_of_other_runs_still_come_no_deadline_decides(bool isBusy)
    {
        using var wire = WireFactory.CreateInMemory();
        var address = wire.Listen(new IPEndPoint(IPAddress.Loopback, 0), () => new BusyBroker(wire, isBusy));
        var runner = new ScenarioRunner(wire, new CheckTarget(address), "t");
        var result = runner.Run(
            ScenarioText.Parse("A connect clean; A publish ~/a qos=1", ProtocolVersion.V311, "test"),
            new CheckTiming()
        );
        return string.Join(' ', result.Deviations.Select(deviation => deviation.Statement.Name));
    }

    [Test]
    public void Every_defect_of_a_packet_ends_the_connection_to_the_embedded_broker(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        using var broker = new VirtualBroker();
        var wrong = MalformedPackets
            .Names(version)
            .SelectMany(defect =>
                broker
                    .Run(
                        ScenarioText.Parse(
                            $"{(MalformedCommand.IsOfConnect(defect, version) ? "" : "A connect clean; ")}A "
                                + $"malformed {defect}",
                            version,
                            defect
                        )
                    )
                    .Deviations
            );
        Assert.That(wrong.Select(deviation => deviation.Explanation), Is.Empty);
    }

    // The broker has the session that an unanswered CONNECT made. What the session before it began is over.
    [TestCase(ProtocolVersion.V311, "B connect clean", "drop")]
    [TestCase(ProtocolVersion.V5, "B connect clean", "drop")]
    [TestCase(ProtocolVersion.V5, "B connect clean expiry=60", "disconnect expiry=0")]
    public void A_message_of_a_session_that_ended_with_its_connection_is_not_sent_again(
        ProtocolVersion version,
        string first,
        string end
    )
    {
        var resume = version == ProtocolVersion.V5 ? "connect resume expiry=60" : "connect resume";
        var scenario = ScenarioText.Parse(
            $"A {resume}; {first}; A subscribe ~/a:2; A drop; B publish ~/a qos=2; & B {end}; B {resume}; & B drop; "
                + $"B {resume}; A {resume}",
            version,
            "test"
        );
        using var broker = new VirtualBroker();
        Assert.That(broker.Run(scenario).Deviations.Select(deviation => deviation.Explanation), Is.Empty);
    }

    [Test]
    public void A_message_that_no_member_of_a_shared_subscription_gets_is_found([Values(1, 2)] int members)
    {
        var scenario = ScenarioText.Parse(
            $"A connect clean; A subscribe $share/~g/~/a:1; "
                + $"{(members == 2 ? "B connect clean; B subscribe $share/~g/~/a:1; " : "")}C connect clean; C publish "
                + "~/a qos=1",
            ProtocolVersion.V5,
            "test"
        );
        using var loses = new VirtualBroker("lose:1");
        Assert.That(
            loses.Run(scenario).Deviations.Select(deviation => deviation.Statement.Name),
            Is.EqualTo(["shared-delivered"])
        );
        using var keeps = new VirtualBroker();
        Assert.That(keeps.Run(scenario).Deviations, Is.Empty);
    }

    // On the virtual clock with fixed seeds: every run is the same.
    [Test]
    public void Exploring_finds_a_loss_through_a_shared_subscription()
    {
        using var broker = new VirtualBroker("lose:0.2");
        using var enough = new CancellationTokenSource();
        var report = broker
            .Check(
                ProtocolVersion.V5,
                found: _ => enough.Cancel(),
                counts: statement => statement.Name == "shared-delivered"
            )
            .Explore(TimeSpan.FromHours(10), 5000, enough.Token);
        var finding = report.Findings.Single();
        TestContext.Out.WriteLine(
            $"{finding.Id} {finding.Circumstances}: {finding.Scenario} ({finding.Hits}/{finding.Replays}), "
                + $"{report.Scenarios} scenarios"
        );
        Assert.That(finding.Scenario.Steps, Has.Count.LessThanOrEqualTo(6));
        Assert.That(finding.Id, Is.EqualTo("MQTT-4.5.0-1"));
    }

    // Accepts every connection and answers nothing else; if it is busy it sends a message of somebody else every 10 ms.
    private sealed class BusyBroker(IWire wire, bool isBusy) : IWireHandler, ITimerHandler
    {
        private readonly byte[] _accepted = PacketEncoder.Encode(
            new ConnackPacket(false, ReasonCode.Success),
            ProtocolVersion.V311
        );
        private readonly byte[] _foreign = PacketEncoder.Encode(
            new PublishPacket { Topic = "other/a", Payload = Bytes.FromText("other:1") },
            ProtocolVersion.V311
        );
        private WireConnection? _connection;

        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) => _connection = connection;

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            if (bytes[0] == (byte)PacketType.Connect << 4)
            {
                connection.Send(_accepted);
                if (isBusy)
                    OnTimer(0, wire.NowNanoseconds, 0);
            }
            return bytes.Length;
        }

        public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
        {
            if (_connection is null)
                return;
            _connection.Send(_foreign);
            wire.Schedule(this, nowNanoseconds + 10_000_000, 0);
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
            _connection = null;
    }

    private sealed class SilentBroker : IWireHandler
    {
        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) { }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) => bytes.Length;

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) { }
    }
}
