using MqttCheck.Health;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Health;

public sealed class RunHealthTests
{
    private static readonly RunHealth Good = new()
    {
        Loop = LoadLoop.Closed,
        LatencyP99Milliseconds = 10,
        LagP99Microseconds = 1000,
        GeneratorCpuShare = 0.8,
    };

    [Test]
    public void A_run_at_both_limits_is_valid_and_has_nothing_to_say()
    {
        Assert.That(Good.IsValid, Is.True);
        Assert.That(Good.Findings, Is.Empty);
    }

    [Test]
    public void Lag_above_a_tenth_of_the_reported_latency_invalidates_with_both_numbers()
    {
        var late = Good with { LagP99Microseconds = 1001 };
        Assert.That(late.IsValid, Is.False);
        Assert.That(
            late.Findings.Single(),
            Is.EqualTo(
                new HealthFinding(
                    "send-lag",
                    true,
                    "The generator sent up to 1.001 ms late (99 % of requests), "
                        + "more than 10 % of the latency it reports (10 ms, 99 %)."
                )
            )
        );
    }

    [Test]
    public void In_a_closed_loop_lag_is_held_against_the_waits_as_well()
    {
        var late = Good with { LagP99Microseconds = 5001, MeanWaitMilliseconds = 40 };
        Assert.That((late with { LagP99Microseconds = 5000 }).IsValid, Is.True);
        Assert.That(
            late.Findings.Single().Text,
            Does.EndWith(
                "more than 10 % of the latency it reports (10 ms, 99 %) and the clients' waits (40 ms) together."
            )
        );
    }

    [Test]
    public void A_busy_generator_invalidates()
    {
        var busy = Good with { GeneratorCpuShare = 0.81 };
        Assert.That((busy.IsValid, busy.Findings.Single().Code), Is.EqualTo((false, "generator-cpu")));
    }

    [Test]
    public void What_was_not_measured_invalidates_nothing() =>
        Assert.That(new RunHealth { Loop = LoadLoop.Open }.IsValid, Is.True);

    [Test]
    public void Remarks_come_behind_and_leave_the_run_valid()
    {
        var run = Good with
        {
            PendingBytesMaximum = 5,
            DelayedAcknowledgementShare = 0.2,
            GeneratorCpuShare = 0.1,
            StolenShare = 0.02,
        };
        Assert.That(run.IsValid, Is.True);
        Assert.That(
            run.Findings.Select(finding => (finding.Code, finding.Invalidates)),
            Is.EqualTo(new[] { ("stolen-time", false), ("delayed-acknowledgements", false), ("back-pressure", false) })
        );
    }

    [Test]
    public void Held_answers_are_a_remark_with_their_share_and_the_setting_that_mends_it()
    {
        var held = Good with { HeldAnswerShare = .96 };
        Assert.That(held.IsValid, Is.True);
        Assert.That(
            held.Findings.Single(),
            Is.EqualTo(
                new HealthFinding(
                    "held-answers",
                    false,
                    "96 % of the answers and deliveries came only when the client that got them sent its next packet: "
                        + "the broker holds them back until then (Nagle's algorithm meeting delayed acknowledgements). "
                        + "Set the broker's TCP_NODELAY, such as by 'set_tcp_nodelay true': "
                        + "docs/manual/brokers.md has each broker's."
                )
            )
        );
    }

    [Test]
    public void A_mode_of_delayed_acknowledgements_is_found_and_its_share_told()
    {
        var latencies = new NagleDelays();
        for (var i = 0; i < 9000; i++)
            latencies.Add(0.2 + i % 100 * 0.01);
        for (var i = 0; i < 1000; i++)
            latencies.Add(40.1 + i % 60 * 0.1);
        Assert.That(latencies.Share, Is.EqualTo(0.1).Within(1e-12));
    }

    [TestCase(1.0)]
    [TestCase(10.0)]
    [TestCase(40.0)]
    public void Smooth_latencies_have_no_such_mode(double meanMilliseconds)
    {
        var latencies = new NagleDelays();
        var random = RandomStream.For(3);
        for (var i = 0; i < 100_000; i++)
            latencies.Add(-meanMilliseconds * Math.Log(random.NextOpenDouble()));
        Assert.That(latencies.Share, Is.Zero);
    }
}
