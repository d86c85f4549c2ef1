using MqttCheck.Clusters.Properties;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.LiveClusters.Tests.Verdicts;

/// <summary>Live runs beside simulations of the same clients and faults.</summary>
[TestFixture]
internal sealed class QuantityComparisonTests
{
    [Test]
    public void Runs_that_differ_by_chance_agree_and_runs_that_all_lie_above_do_not()
    {
        // R: t.test(c(10, 12, 11) - c(11, 11, 11))$conf.int is -2.484 to 2.484.
        var chance = Delivery((10, 11), (12, 11), (11, 11));
        Assert.That((chance.Live, chance.Simulated, chance.Agrees), Is.EqualTo((11, 11, true)));
        Assert.That(chance.Difference!.Upper, Is.EqualTo(2.484138).Within(1e-6));
        // R: t.test(c(1, 1.2, 1.1))$conf.int is .8516 to 1.3484.
        var above = Delivery((11, 10), (12.2, 11), (11.1, 10));
        Assert.That(above.Agrees, Is.False);
        Assert.That(above.Difference!.Lower, Is.EqualTo(.8515862).Within(1e-6));
    }

    [Test]
    public void Runs_that_equal_their_simulations_agree_and_one_that_differs_alone_decides_nothing()
    {
        Assert.That(Delivery((5, 5), (7, 7)).Agrees, Is.True);
        Assert.That(Delivery((5, 6)).Agrees, Is.Null);
    }

    [Test]
    public void Times_without_an_end_agree_only_with_times_without_an_end()
    {
        var never = double.PositiveInfinity;
        Assert.That(Delivery((never, never), (5, 5)).Agrees, Is.True);
        Assert.That(Delivery((never, 7), (5, 5)).Agrees, Is.False);
    }

    [Test]
    public void A_quantity_that_one_way_does_not_know_is_listed_and_not_judged()
    {
        var known = Run(5, 5);
        var comparison = QuantityComparison
            .Of([known with { Simulated = known.Simulated! with { SignallingBytes = 9 } }])
            .Single(each => each.Quantity == ClusterQuantity.SignallingBytes);
        Assert.That(
            (comparison.Live, comparison.Simulated, comparison.Agrees),
            Is.EqualTo(((double?)null, 9, (bool?)null))
        );
    }

    [Test]
    public void Runs_that_failed_or_that_nobody_can_simulate_do_not_count()
    {
        var run = Run(5, 6);
        Assert.That(
            QuantityComparison.Of([run with { Failure = "a node ended" }, run with { Simulated = null }]),
            Is.Empty
        );
    }

    private static QuantityComparison Delivery(params (double Live, double Simulated)[] runs) =>
        QuantityComparison
            .Of(runs.Select(run => Run(run.Live, run.Simulated)))
            .Single(each => each.Quantity == ClusterQuantity.Delivery);

    private static ClusterRunRecord Run(double live, double simulated) =>
        new()
        {
            Outcome = Outcome(live),
            Simulated = Outcome(simulated),
            Faults = [],
            Links = [],
            FaultLatenessNanoseconds = 0,
        };

    private static ClusterOutcome Outcome(double milliseconds) =>
        new()
        {
            Publications = 1,
            Deliveries = 1,
            DeliveryMilliseconds = [milliseconds],
            Lost = 0,
            LostSettled = 0,
            Duplicates = 0,
            Reordered = 0,
            Racing = 0,
        };
}
