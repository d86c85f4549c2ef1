using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>
/// A broker that stops answering, ends connections, floods or is lost ends in findings, in the time that was given:
/// every wait has a deadline. In virtual time, but for a broker that goes away in between.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class BrokenBrokerTests
{
    private static readonly TimeSpan s_budget = TimeSpan.FromSeconds(60);

    // What is being confirmed at the end may take 15 s longer, and its last runs their deadlines of 5 s and the
    // cleaning of 1 s, each at most once more.
    private static readonly TimeSpan s_most = s_budget + TimeSpan.FromSeconds(40);

    // A broker that answers at once takes hardly any virtual time.
    private const long MostScenarios = 100;

    [TestCase(Habit.SaysNothing, "connack")]
    [TestCase(Habit.AcceptsAndSaysNothing, "no answer")]
    [TestCase(Habit.EndsAfterConnack, "connection closed")]
    [TestCase(Habit.Floods, "no-flood")]
    [Category("Whole")]
    public void It_is_found_in_the_time_given(Habit habit, string expected)
    {
        using var wire = WireFactory.CreateInMemory(TimeSpan.FromMicroseconds(50));
        var address = wire.Listen(new IPEndPoint(IPAddress.Loopback, 0), () => new BrokenBroker(wire, habit));
        var check = new ConformanceCheck(wire, new CheckTarget(address), "t", new CheckOptions());
        var began = wire.NowNanoseconds;
        var report = check.Explore(s_budget, MostScenarios, CancellationToken.None);
        Assert.That(report.Findings.Select(finding => finding.Key), Has.Some.Contains(expected));
        Assert.That(
            report
                .Findings.Where(finding => finding.Key.Contains(expected, StringComparison.Ordinal))
                .Min(finding => finding.Scenario.Steps.Count),
            Is.LessThanOrEqualTo(6)
        );
        Assert.That((wire.NowNanoseconds - began) / 1e9, Is.LessThan(s_most.TotalSeconds));
    }

    [Test]
    public void One_that_is_lost_is_a_finding_and_is_started_again()
    {
        using var broker = new VirtualBroker();
        var nowhere = new CheckTarget(new IPEndPoint(IPAddress.Loopback, 1));
        var restarts = 0;
        var check = new ConformanceCheck(broker.Wire, nowhere, "t", new CheckOptions())
        {
            Restart = () =>
            {
                restarts++;
                return broker.Target;
            },
        };
        var report = check.Explore(TimeSpan.FromHours(1), 100, CancellationToken.None);
        Assert.That(restarts, Is.GreaterThan(0));
        Assert.That(report.BrokerLost, Is.False);
        Assert.That(report.Scenarios, Is.GreaterThanOrEqualTo(100));
    }

    [Test]
    public void One_that_is_lost_for_good_ends_the_check()
    {
        using var wire = WireFactory.CreateInMemory();
        var check = new ConformanceCheck(
            wire,
            new CheckTarget(new IPEndPoint(IPAddress.Loopback, 1)),
            "t",
            new CheckOptions()
        )
        {
            Restart = () => null,
        };
        var report = check.Explore(s_budget, CancellationToken.None);
        Assert.That(report.BrokerLost, Is.True);
        var finding = report.Findings.Single();
        Assert.That(
            (finding.Statement.Name, finding.IsRepeated, finding.Hits < finding.Replays),
            Is.EqualTo(("available", false, false))
        );
        Assert.That(finding.Repeated, Does.Contain("seen once").And.Not.Contain("1 of 1"));
    }

    // It answers one connection with a session that nobody has, and is gone. Nobody can repeat that, so it is no
    // finding; that the broker is gone is one.
    [Test]
    [Category("Whole")]
    public void What_is_seen_before_the_broker_is_lost_for_good_is_not_repeated()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var target = new CheckTarget((IPEndPoint)listener.LocalEndpoint);
        using var wire = WireFactory.Create(new WireOptions());
        var serving = Task.Run(async () =>
        {
            using var socket = await listener.AcceptSocketAsync();
            listener.Stop();
            await socket.ReceiveAsync(new byte[1024]);
            await socket.SendAsync(new byte[] { 0x20, 2, 1, 0 });
            // It stays until its client leaves.
            while (await socket.ReceiveAsync(new byte[1024]) > 0)
                continue;
        });
        var options = new CheckOptions
        {
            Lanes = 1,
            SlowLanes = 0,
            Generator = new GeneratorOptions { Versions = [ProtocolVersion.V311] },
        };
        // A seed whose first scenario begins with one client alone that asks for a clean session.
        var generator = new ScenarioGenerator(options.Generator);
        options = options with
        {
            Seed = Enumerable
                .Range(1, 1000)
                .Select(seed => (ulong)seed)
                .First(seed =>
                    new ScenarioPlan(generator, seed).Next(0, false, false).Scenario.Steps
                        is [{ Command: ConnectCommand first }, { Concurrent: false }, ..]
                    && first == new ConnectCommand(true)
                ),
        };
        var report = new ConformanceCheck(wire, target, "t", options) { Restart = () => null }.Explore(
            s_budget,
            CancellationToken.None
        );
        Assert.That(report.BrokerLost, Is.True);
        Assert.That(
            report.Findings.Select(finding => (finding.Statement.Name, finding.IsRepeated)),
            Is.EqualTo([("available", false)])
        );
        Assert.That(
            report.Suspicions.Select(suspicion => suspicion.Key),
            Has.Some.StartsWith("clean-session-not-present")
        );
        Assert.That(serving.IsFaulted, Is.False);
    }

    public enum Habit
    {
        SaysNothing,
        AcceptsAndSaysNothing,
        EndsAfterConnack,
        Floods,
    }

    private sealed class BrokenBroker(IWire wire, Habit habit) : IWireHandler, ITimerHandler
    {
        private static readonly byte[] s_connack311 = [0x20, 2, 0, 0],
            s_connack5 = [0x20, 3, 0, 0, 0];
        private static readonly byte[] s_flood =
        [
            .. Enumerable.Repeat<byte[]>([0x30, 3, 0, 1, (byte)'a'], 200).SelectMany(packet => packet),
        ];

        private WireConnection? _connection;
        private bool _isAccepted;

        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) => _connection = connection;

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            if (_isAccepted || habit == Habit.SaysNothing)
                return bytes.Length;
            _isAccepted = true;
            // The protocol level is behind the packet type, a length of one byte, and the name MQTT with its length.
            connection.Send(bytes.Length > 8 && bytes[8] == 5 ? s_connack5 : s_connack311);
            if (habit == Habit.EndsAfterConnack)
                connection.Close();
            if (habit == Habit.Floods)
                wire.Schedule(this, wire.NowNanoseconds + 1_000_000, 0);
            return bytes.Length;
        }

        public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
        {
            if (_connection is null)
                return;
            _connection.Send(s_flood);
            wire.Schedule(this, nowNanoseconds + 1_000_000, 0);
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
            _connection = null;
    }
}
