using MqttCheck.Brokers.Fleets.Probes;
using MqttCheck.Brokers.Processes;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Tests.Fleets.Probes;

public sealed class IdleProbeTests
{
    [Test]
    public void It_measures_as_many_messages_as_asked_and_the_time_both_ways()
    {
        var run = new VirtualRun();

        var latency = new IdleProbe(run.Setup.Endpoint, null, run.Setup.Prefix, samples: 100, _ => run.Wire).Run();

        Assert.That(latency.Samples, Is.EqualTo(100));
        Assert.That(
            new[]
            {
                latency.MinimumMilliseconds,
                latency.MedianMilliseconds,
                latency.P90Milliseconds,
                latency.P99Milliseconds,
                latency.MaximumMilliseconds,
            },
            Has.All.EqualTo(0.2).Within(1e-9)
        );
        Assert.That(run.Broker.Sessions, Is.Zero);
    }

    [Test]
    public void A_broker_that_fails_is_reported()
    {
        var run = new VirtualRun();
        run.Broker.Script = (_, packet) => packet is SubscribePacket ? Fault.Refuse : Fault.None;

        Assert.That(
            () => new IdleProbe(run.Setup.Endpoint, null, run.Setup.Prefix, samples: 100, _ => run.Wire).Run(),
            Throws.TypeOf<BrokerException>().With.Message.Contains("refused the subscription")
        );
    }

    [Test]
    public void A_cancelled_measurement_yields_nothing()
    {
        var run = new VirtualRun();

        Assert.That(
            () =>
                new IdleProbe(run.Setup.Endpoint, null, run.Setup.Prefix, samples: 100, _ => run.Wire).Run(
                    new CancellationToken(canceled: true)
                ),
            Throws.InstanceOf<OperationCanceledException>()
        );
    }
}
