using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Tests.Properties;

[TestFixture]
internal sealed class RunLimitsTests
{
    // 200 messages a second for 10 s and a warm-up of 1 s, and one more of each of 2 publishers; a fan-out to 2.
    [Test]
    public void A_constant_rate_bounds_what_can_be_lost()
    {
        var limits = RunLimits.Of(TopologyFile.Read("bridge-pair", ClusterSystem.Nats), TimeSpan.FromSeconds(40));
        Assert.That(
            (limits.Publications, limits.Receivers, limits.Milliseconds, limits.ProbedMilliseconds),
            Is.EqualTo((2202.0, 2, 50_000.0, 12_000.0))
        );
    }

    // Mean 2200, and with ln(1e12) = 27.631 Bernstein's 9.210 + sqrt(84.83 + 121 577) = 358.010. A program of its own
    // has 1 - F(2559) = 4e-14 for the Poisson law.
    [Test]
    public void Poisson_arrivals_have_a_bound_that_one_of_a_million_million_runs_exceeds()
    {
        var limits = RunLimits.Of(With(load => load with { Arrivals = ArrivalKind.Poisson }), TimeSpan.Zero);
        Assert.That(limits.Publications, Is.EqualTo(2559));
    }

    [Test]
    public void Clients_that_wait_for_acknowledgements_have_no_bound_and_losses_per_publication_have_one()
    {
        var limits = RunLimits.Of(With(load => load with { Arrivals = ArrivalKind.Closed }), TimeSpan.Zero);
        Assert.That(limits.Publications, Is.Null);
        Assert.That(new ClusterMeasure(ClusterQuantity.Lost, IsPerPublication: false).Largest(limits), Is.Null);
        Assert.That(new ClusterMeasure(ClusterQuantity.Lost, IsPerPublication: true).Largest(limits), Is.EqualTo(2));
    }

    [Test]
    public void A_burst_comes_on_top_and_counted_warm_up_messages_do_not()
    {
        var limits = RunLimits.Of(
            With(load =>
                load with
                {
                    WarmUp = new LoadWarmUp(3, TimeSpan.FromSeconds(1)),
                    Burst = new LoadBurst(500, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(4)),
                }
            ),
            TimeSpan.Zero
        );
        // 200 * 10 + 300 * 2 + 2.
        Assert.That(limits.Publications, Is.EqualTo(2602));
    }

    private static Topology With(Func<Workload, Workload> change)
    {
        var topology = TopologyFile.Read("bridge-pair", ClusterSystem.Nats);
        return topology with { Scenario = topology.Scenario with { Workload = change(topology.Load) } };
    }
}
