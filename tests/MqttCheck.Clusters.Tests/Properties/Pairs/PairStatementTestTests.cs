using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Properties.Pairs;
using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Tests.Properties.Pairs;

[TestFixture]
internal sealed class PairStatementTestTests
{
    [TestCase("ratio[ throughput ] in 1.6 to 2", true)]
    [TestCase("ratio[ throughput ] in 2.5 to 3", false)]
    [TestCase("ratio[ throughput ] in 1.8 to 3", null)]
    [TestCase("ratio[ throughput ]", null)]
    [TestCase("difference[ throughput ] within 1000", true)]
    [TestCase("difference[ throughput ] within 100", false)]
    // Every pair has the same difference, which says nothing of how much others vary.
    [TestCase("difference[ delivery ] within 1ms", null)]
    public void An_interval_that_lies_inside_holds_and_one_outside_does_not(string text, bool? holds)
    {
        var test = new PairStatementTest(PairStatement.Parse(text, "test"), .05, .1, null);
        for (var pair = 0; pair < 8; pair++)
            test.Add(Run(1800 + (pair % 3)), Run(1000 + (pair % 2)));
        Assert.That(test.Answer.Holds, Is.EqualTo(holds), test.Answer.Reason);
        Assert.That(test.Answer.Count, Is.EqualTo(8));
    }

    [Test]
    public void The_interval_of_a_ratio_contains_it_as_often_as_it_says()
    {
        // 2000 experiments of 8 pairs, seed 5: the ratio 1.5 with log-normal noise of 10 % in each run.
        var random = RandomStream.For(5, 0);
        var missed = 0;
        for (var experiment = 0; experiment < 2000; experiment++)
        {
            var test = new PairStatementTest(PairStatement.Parse("ratio[ throughput ]", "test"), .1, .1, null);
            for (var pair = 0; pair < 8; pair++)
                test.Add(Run(1500 * Noise(ref random)), Run(1000 * Noise(ref random)));
            missed += test.Answer.Interval!.Contains(1.5) ? 0 : 1;
        }
        // Four standard deviations of the share.
        Assert.That(missed / 2000.0, Is.EqualTo(.1).Within(4 * Math.Sqrt(.09 / 2000)));
    }

    [Test]
    public void A_value_of_zero_has_no_ratio_and_a_difference()
    {
        var ratio = new PairStatementTest(
            PairStatement.Parse("ratio[ retransmitted ] in 0 to 1", "test"),
            .05,
            .1,
            null
        );
        var difference = new PairStatementTest(
            PairStatement.Parse("difference[ retransmitted ]", "test"),
            .05,
            .1,
            null
        );
        foreach (var test in (PairStatementTest[])[ratio, difference])
        {
            test.Add(Run(1) with { Retransmitted = 0 }, Run(1) with { Retransmitted = 4 });
            test.Add(Run(1) with { Retransmitted = 0 }, Run(1) with { Retransmitted = 6 });
        }
        Assert.That((ratio.Answer.Estimate, ratio.Answer.Holds), Is.EqualTo(((double?)null, (bool?)null)));
        Assert.That(ratio.Answer.Reason, Does.Contain("ask for the difference"));
        Assert.That(difference.Answer.Estimate, Is.EqualTo(-5));
    }

    [Test]
    public void A_property_of_one_cluster_is_decided_by_the_runs_of_that_one()
    {
        var first = new PairStatementTest(PairStatement.Parse("first: P>=0.9[ lost = 0 ]", "test"), .05, .25, null);
        var second = new PairStatementTest(PairStatement.Parse("second: P>=0.9[ lost = 0 ]", "test"), .05, .25, null);
        for (var pair = 0; pair < first.PairsIfAllHold; pair++)
        {
            first.Add(Run(1), Run(1) with { Lost = 1 });
            second.Add(Run(1), Run(1) with { Lost = 1 });
        }
        Assert.That((first.Answer.Holds, second.Answer.Holds), Is.EqualTo(((bool?)true, (bool?)false)));
    }

    [TestCase("mean[ lost ]", "column 1: 'mean' is not allowed here; allowed: ratio[ measure ]")]
    [TestCase("ratio[ late ]", "column 8: unknown measure 'late'")]
    [TestCase("ratio[ lost ] in 2 to 1", "column 23: '1' is not allowed here; allowed: a number that is not below")]
    [TestCase("difference[ delivery ] within 5", "allowed: a duration with its unit")]
    [TestCase("second: P[ lost ]", "column 17")]
    public void A_wrong_statement_is_refused_with_its_column(string text, string message) =>
        Assert.That(
            () => PairStatement.Parse(text, "test"),
            Throws.TypeOf<InputException>().With.Message.Contain(message)
        );

    [TestCase("ratio[ throughput ] in 1.6 to 2")]
    [TestCase("difference[ delivery ] within 5ms")]
    [TestCase("difference[ link messages per publication ]")]
    [TestCase("first: P>=0.9[ lost = 0 ]")]
    public void A_statement_that_is_written_reads_as_the_same(string text) =>
        Assert.That(PairStatement.Parse(text, "test").ToString(), Is.EqualTo(text));

    private static double Noise(ref RandomStream random) => Math.Exp(.1 * NormalQuantile.At(random.NextOpenDouble()));

    private static ClusterOutcome Run(double throughput) =>
        new()
        {
            Publications = 1,
            Deliveries = 1,
            DeliveryMilliseconds = [5, 7],
            Lost = 0,
            LostSettled = 0,
            Duplicates = 0,
            Reordered = 0,
            Racing = 0,
            Throughput = throughput,
        };
}
