using System.Net;
using MqttCheck.Brokers.Conformance;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Conformance;

[TestFixture]
public sealed class ScenarioRunnerTests
{
    // Every wait of the broker and of the run is on the virtual clock, and every choice has a seed: the same 3000 scenarios each time.
    [Test]
    public void Random_scenarios_find_nothing_in_the_embedded_broker([Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version, [Values(1, 16)] int lanes)
    {
        using var broker = new VirtualBroker();
        var report = broker.Check(version, lanes: lanes).Explore(TimeSpan.FromHours(10), 3000, CancellationToken.None);
        Assert.That(report.Findings, Is.Empty, string.Join("\n", report.Findings.Select(finding => $"{finding.Key}: {finding.Deviation.Explanation} in {finding.Scenario}")));
        Assert.That(report.Commands, Is.GreaterThan(30_000));
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
            return broker.Check(ProtocolVersion.V311, found: _ => enough.Cancel()).Explore(TimeSpan.FromHours(10), 1000, enough.Token).Findings[0].Scenario.ToString();
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
        var result = runner.Run(ScenarioText.Parse("A connect clean; A publish ~/a qos=1", ProtocolVersion.V311, "test"), new CheckTiming());
        Assert.That(result.Deviations.Select(deviation => deviation.Statement.Name), Is.EqualTo(["connack"]));
    }

    [Test]
    public void Every_defect_of_a_packet_ends_the_connection_to_the_embedded_broker([Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version)
    {
        using var broker = new VirtualBroker();
        var wrong = MalformedPackets.Names(version)
            .SelectMany(defect => broker.Run(ScenarioText.Parse($"{(MalformedPackets.IsConnect(defect, version) ? "" : "A connect clean; ")}A malformed {defect}", version, defect)).Deviations);
        Assert.That(wrong.Select(deviation => deviation.Explanation), Is.Empty);
    }

    private sealed class SilentBroker : IWireHandler
    {
        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) { }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) => bytes.Length;

        public void OnSent(WireConnection connection, in SendStamp stamp) { }

        public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) { }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) { }
    }
}
