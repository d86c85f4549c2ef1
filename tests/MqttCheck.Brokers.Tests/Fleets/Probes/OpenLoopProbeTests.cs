using MqttCheck.Brokers.Fleets.Probes;
using MqttCheck.Brokers.Processes;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Tests.Fleets.Probes;

public sealed class OpenLoopProbeTests
{
    [Test]
    public void Messages_leave_at_the_planned_times_and_latency_counts_from_them()
    {
        var samples = Probe(new VirtualRun());

        Assert.That(samples, Has.Count.EqualTo(500));
        Assert.That(
            samples.Select(sample => sample.IntendedMicroseconds),
            Is.EqualTo(Enumerable.Range(20, 500).Select(i => i * 10_000.0)).Within(1e-3)
        );
        Assert.That(samples.Select(sample => sample.LatencyMilliseconds), Has.All.EqualTo(0.2).Within(1e-3));
        Assert.That(samples.Select(sample => sample.ServiceMilliseconds), Has.All.EqualTo(0.2).Within(1e-3));
    }

    // 100 messages a second: those due in the first half of a stall of a second wait more than half a second.
    [Test]
    public void A_stall_shows_in_every_message_that_was_due_in_it()
    {
        var run = new VirtualRun();
        run.After(TimeSpan.FromSeconds(2), () => run.Broker.Stall(TimeSpan.FromSeconds(1)));

        var samples = Probe(run);

        Assert.That((LongerThan(500), LongerThan(900), LongerThan(1)), Is.EqualTo((50, 10, 100)).Within(1));

        int LongerThan(int milliseconds) => samples.Count(sample => sample.LatencyMilliseconds > milliseconds);
    }

    [Test]
    public void A_refusal_ends_the_probe_with_the_brokers_answer()
    {
        var run = new VirtualRun();
        run.Broker.Script = (_, packet) => packet is ConnectPacket ? Fault.Refuse : Fault.None;
        Assert.That(
            () => Probe(run),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.EqualTo("The probe of 127.0.0.1:1883 ended: it refused a connection with CONNACK 5.")
        );
    }

    [Test]
    public void A_probe_that_is_cancelled_before_it_begins_asks_the_broker_nothing()
    {
        var isWireMade = false;
        var run = new VirtualRun();
        var probe = new OpenLoopProbe(_ =>
        {
            isWireMade = true;
            return run.Wire;
        })
        {
            Endpoint = run.Setup.Endpoint,
            Prefix = run.Setup.Prefix,
            Rate = 100,
            Messages = 1,
        };
        Assert.That(
            () => probe.Run(new CancellationToken(canceled: true)),
            Throws.InstanceOf<OperationCanceledException>()
        );
        Assert.That(isWireMade, Is.False);
    }

    private static IReadOnlyList<ProbeSample> Probe(VirtualRun run) =>
        new OpenLoopProbe(_ => run.Wire)
        {
            Endpoint = run.Setup.Endpoint,
            Prefix = run.Setup.Prefix,
            Connections = 4,
            Rate = 100,
            Messages = 500,
            Rehearsal = 20,
        }.Run();
}
