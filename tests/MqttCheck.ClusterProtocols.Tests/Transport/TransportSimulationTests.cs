using MqttCheck.ClusterProtocols.Transport;

namespace MqttCheck.ClusterProtocols.Tests.Transport;

/// <summary>
/// What the article claims, as docs/evidence/transport-claims.md lists it. The expected shares and ratios are of an
/// independent model of the same rules, with its tolerances.
/// </summary>
[TestFixture]
internal sealed class TransportSimulationTests
{
    private static readonly ulong[] s_seeds = [1, 2, 3];

    [TestCaseSource(nameof(s_seeds))]
    public void Version_4_18_carries_nine_fifths_of_4_17_where_nothing_is_sent_again(ulong seed)
    {
        var before = Run(TransportDesign.Version417, TransportLoad.Closed(100), seed);
        var after = Run(TransportDesign.Version418, TransportLoad.Closed(100), seed);
        Assert.That(after.DeliveredPerSecond / before.DeliveredPerSecond, Is.EqualTo(1.8).Within(.05));
        Assert.That((before.RetransmittedShare, after.RetransmittedShare), Is.EqualTo((0.0, 0.0)));
    }

    [TestCaseSource(nameof(s_seeds))]
    public void Version_4_17_sends_again_where_what_is_under_way_fills_the_queues(ulong seed)
    {
        var outcome = Run(TransportDesign.Version417, TransportLoad.Closed(200), seed);
        Assert.That(outcome.RetransmittedShare, Is.InRange(.05, .35));
        Assert.That(outcome.DeliveredPerSecond, Is.LessThan(1000));
    }

    [TestCase(50)]
    [TestCase(100)]
    [TestCase(200)]
    [TestCase(300)]
    public void Version_4_18_never_sends_again_and_keeps_its_rate_in_a_closed_loop(int window)
    {
        var outcome = Run(TransportDesign.Version418, TransportLoad.Closed(window), seed: 4);
        Assert.That((outcome.RetransmittedShare, outcome.Dropped), Is.EqualTo((0, 0)));
        Assert.That(outcome.DeliveredPerSecond, Is.EqualTo(1800).Within(18));
    }

    [Test]
    [Category("Whole")]
    public void After_a_burst_only_both_changes_together_recover()
    {
        Assert.Multiple(() =>
        {
            for (ulong seed = 1; seed <= 20; seed++)
            {
                var received = TransportDesign.All.ToDictionary(design => design.Name, design => Burst(design, seed));
                var best = received[TransportDesign.Version418.Name];
                var apart = received[TransportDesign.AcknowledgementsOnly.Name];
                Assert.That(best.RetransmittedShare, Is.Zero, $"seed {seed}");
                Assert.That(
                    received.Where(pair => pair.Value != best).Select(pair => pair.Value.ReceivedPerSecond),
                    Has.All.LessThan(best.ReceivedPerSecond),
                    $"seed {seed}"
                );
                Assert.That(apart.ReceivedInLastSecond, Is.LessThan(.95 * 900), $"seed {seed}");
                Assert.That(apart.RetransmittedShare, Is.GreaterThan(.3), $"seed {seed}");
            }
        });
    }

    [Test]
    public void A_slow_receiver_of_version_4_18_holds_its_senders_back()
    {
        var outcome = Burst(TransportDesign.Version418, seed: 7);
        var design = TransportDesign.Version418;
        // Each of the two peers may have filled its send queue before it hears of the length.
        Assert.That(outcome.LongestReceiveQueue, Is.InRange(design.ShedLength, design.ShedLength + 2 * 200));
    }

    [Test]
    public void Equal_seeds_give_equal_outcomes_and_other_seeds_do_not()
    {
        TransportOutcome Once(ulong seed) => Run(TransportDesign.Version417, TransportLoad.Closed(200), seed, 5);
        var (first, again, other) = (Once(9), Once(9), Once(10));
        Assert.That(again, Is.EqualTo(first));
        Assert.That(other, Is.Not.EqualTo(first));
    }

    private static TransportOutcome Burst(TransportDesign design, ulong seed) =>
        Run(design with { ReceivesPerSecond = 1200 }, TransportLoad.Burst(900, 1400, 5, 8), seed);

    private static TransportOutcome Run(TransportDesign design, TransportLoad load, ulong seed, int seconds = 30) =>
        TransportSimulation.Run(
            new TransportSetup
            {
                Design = design,
                Load = load,
                DurationNanoseconds = seconds * 1_000_000_000L,
            },
            seed
        );
}
