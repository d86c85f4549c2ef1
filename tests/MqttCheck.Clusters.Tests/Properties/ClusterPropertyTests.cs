using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Tests.Properties;

[TestFixture]
internal sealed class ClusterPropertyTests
{
    private static readonly ClusterOutcome s_outcome = new()
    {
        Publications = 100,
        Deliveries = 300,
        DeliveryMilliseconds = [1, 2, 3],
        Lost = 0,
        LostSettled = 0,
        Duplicates = 2,
        Reordered = 0,
        Racing = 0,
        RepairMilliseconds = 4_000,
        BlackoutMilliseconds = 4_100,
        LinkMessages = 200,
    };

    [TestCase("P[ repair < 5s ]", "P[ repair < 5000ms ]")]
    [TestCase("P>=0.99[ lost = 0 & duplicates = 0 ]", "P>=0.99[ (lost = 0 & duplicates = 0) ]")]
    [TestCase(
        "P<=0.05[ !(lost settled > 0) | blackout >= 1min ]",
        "P<=0.05[ (!(lost settled > 0) | blackout >= 60000ms) ]"
    )]
    [TestCase("Q0.95[ delivery ]", "Q0.95[ delivery ]")]
    [TestCase("E[ link messages per publication ]", "E[ link messages per publication ]")]
    [TestCase("E[ undelivered at the end per publication ]", "E[ undelivered at the end per publication ]")]
    [TestCase("D[ caught up ]", "D[ caught up ]")]
    [TestCase("P>=0.99[ acknowledgement < 50ms ]", "P>=0.99[ acknowledgement < 50ms ]")]
    [TestCase("P[ (delivery <= 0.1s) ]", "P[ delivery <= 100ms ]")]
    [TestCase("P[ lost = 0 => repair < 1s ]", "P[ (lost = 0 => repair < 1000ms) ]")]
    public void The_forms_of_the_manual_are_read_and_printed_as_what_is_read_again(string text, string printed)
    {
        var property = ClusterProperty.Parse(text, "test");
        Assert.That((property.ToString(), ClusterProperty.Parse(printed, "test")), Is.EqualTo((printed, property)));
    }

    [TestCase("R[ lost ]", "column 1: 'R' is not allowed here; allowed: P[ formula ]")]
    [TestCase("P[ late = 0 ]", "column 4: unknown measure 'late'; allowed: delivery, lost, lost settled")]
    [TestCase("P[ delivery < 5ms & lost = 0 ]", "column 4: 'delivery' is not allowed here; allowed: delivery alone")]
    [TestCase("P[ !(acknowledgement < 5ms) ]", "column 6: 'acknowledgement' is not allowed here")]
    [TestCase("P[ repair < 5 ]", "a duration with its unit")]
    [TestCase("P[ lost = 5s ]", "a number without unit")]
    [TestCase("P[ repair per publication < 5s ]", "unknown measure 'repair per publication'")]
    [TestCase("P>=1.5[ lost = 0 ]", "a probability above 0 and below 1")]
    [TestCase("P[ lost = 0", "the end is not allowed here; allowed: ']'")]
    [TestCase("P[ lost = 0 ] now", "'now' is not allowed here; allowed: the end")]
    [TestCase("E[ lost = 0 ]", "'=' is not allowed here; allowed: ']'")]
    public void Any_other_text_is_refused_with_column_and_what_is_allowed(string text, string part) =>
        Assert.That(
            () => ClusterProperty.Parse(text, "--property"),
            Throws.TypeOf<InputException>().With.Message.StartsWith("--property, column ").And.Message.Contains(part)
        );

    [TestCase("lost = 0 & duplicates = 2", true)]
    [TestCase("lost = 0 & duplicates = 0", false)]
    [TestCase("lost > 0 | repair < 4001ms", true)]
    [TestCase("!(blackout < 4s)", true)]
    [TestCase("lost = 0 => repair < 4s", false)]
    [TestCase("link messages per publication = 2", true)]
    [TestCase("convergence < 1s", null)]
    [TestCase("convergence < 1s & lost > 0", false)]
    [TestCase("convergence < 1s | lost = 0", true)]
    [TestCase("retransmitted = 0", null)]
    public void A_formula_says_of_a_run_what_it_knows(string formula, bool? holds) =>
        Assert.That(ClusterProperty.Parse($"P[ {formula} ]", "test").Formula!.Holds(s_outcome), Is.EqualTo(holds));

    [Test]
    public void What_is_printed_is_read_as_the_same_formula() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(500),
            Prop.ForAll(
                Formulas(4).ToArbitrary(),
                text =>
                {
                    var property = ClusterProperty.Parse($"P>=0.9[ {text} ]", "test");
                    return ClusterProperty.Parse(property.ToString(), "test").Equals(property).Label(text);
                }
            )
        );

    [Test]
    public void A_statement_is_decided_after_as_many_runs_as_Walds_bounds_say()
    {
        // ln 20 / ln(.9 / .65) = 9.2 and ln 20 / ln(.35 / .1) = 2.4.
        var test = Test("P>=0.9[ lost = 0 ]");
        Assert.That((test.RunsIfAllHold, test.RunsIfNoneHold), Is.EqualTo((10, 3)));
        for (var run = 0; run < 10; run++)
        {
            Assert.That(test.IsDecided, Is.False);
            test.Add(s_outcome);
        }
        Assert.That((test.IsDecided, test.Answer.Holds, test.Answer.Runs), Is.EqualTo((true, true, 10)));
        Assert.That(
            test.Answer.Reason,
            Does.Contain("held in 10 of 10 runs: a probability of 0.65 or less is rejected")
        );

        var bad = Test("P<=0.1[ lost = 0 ]");
        for (var run = 0; run < 3; run++)
            bad.Add(s_outcome);
        Assert.That(bad.Answer.Holds, Is.False);
        Assert.That(bad.Answer.Reason, Does.Contain("a probability of 0.1 or less is rejected"));
    }

    [Test]
    public void Wrong_decisions_are_no_more_frequent_than_promised_at_both_hypotheses()
    {
        // 2000 tests with error .05 at each hypothesis: at most .05 + 4 standard errors of .0049, seed 26.
        foreach (var (truth, wrong) in ((double, bool)[])[(.65, true), (.9, false)])
        {
            var count = 0;
            for (var repetition = 0; repetition < 2000; repetition++)
            {
                var random = RandomStream.For(26, (ulong)repetition);
                var test = Test("P>=0.9[ lost = 0 ]");
                while (!test.IsDecided)
                    test.Add(s_outcome with { Lost = random.NextDouble() < truth ? 0 : 1 });
                count += test.Answer.Holds == wrong ? 1 : 0;
            }
            Assert.That(count / 2000.0, Is.LessThan(.05 + .02), $"truth {truth}");
        }
    }

    [Test]
    public void Values_are_estimated_with_intervals_and_runs_that_do_not_know_them_left_out()
    {
        var mean = Test("E[ link messages per publication ]");
        var quantile = Test("Q0.5[ delivery ]");
        var share = Test("P[ repair < 5s ]");
        foreach (var messages in (long?[])[100, 200, null, 300])
        {
            foreach (var test in (ClusterPropertyTest[])[mean, quantile, share])
                test.Add(s_outcome with { LinkMessages = messages });
        }
        Assert.That((mean.Answer.Estimate, mean.Answer.Runs, mean.Answer.Silent), Is.EqualTo((2.0, 3, 1)));
        // Student's 97.5 % quantile with 2 degrees of freedom is 4.3027; the standard error of 1, 2, 3 is .57735.
        Assert.That(mean.Answer.Interval!.Upper, Is.EqualTo(2 + 4.3027 * .57735).Within(1e-3));
        Assert.That(
            (mean.Answer.Kind, quantile.Answer.Kind, quantile.Answer.Estimate),
            Is.EqualTo((IntervalPromise.Approximate, IntervalPromise.Guaranteed, 2.0))
        );
        Assert.That((share.Answer.Estimate, share.Answer.Holds), Is.EqualTo((1.0, (bool?)null)));
        // The lower end of Clopper and Pearson after 4 of 4 at .05 is .025 ^ (1/4) = .3976.
        Assert.That(share.Answer.Interval!.Lower, Is.EqualTo(.3976).Within(1e-4));
    }

    [Test]
    public void Without_a_run_that_knows_it_there_is_no_answer()
    {
        var test = Test("P>=0.9[ convergence < 1s ]");
        test.Add(s_outcome);
        Assert.That(
            (test.Answer.Holds, test.Answer.Estimate, test.Answer.Reason),
            Is.EqualTo(((bool?)null, (double?)null, "none of 1 runs knows what it asks for"))
        );
    }

    [Test]
    public void A_statement_about_messages_is_about_their_share_in_a_run()
    {
        var run = s_outcome with { AcknowledgementMilliseconds = [1, 2, 3, double.PositiveInfinity] };
        var share = Test("P[ acknowledgement < 3ms ]");
        var statement = Test("P>=0.9[ delivery < 3ms ]");
        for (var i = 0; i < 3; i++)
        {
            share.Add(run);
            statement.Add(run);
        }
        share.Add(s_outcome);
        Assert.That((share.Answer.Estimate, share.Answer.Runs, share.Answer.Silent), Is.EqualTo((.5, 3, 1)));
        Assert.That(share.Answer.Interval!.Lower, Is.LessThan(.5));
        Assert.That(share.Answer.Interval!.Upper, Is.GreaterThan(.5));
        // Two thirds in time three times: 3 (2/3 ln(.9/.65) + 1/3 ln(.1/.35)) = -.6, and ln 20 = 3.
        Assert.That(statement.Answer.Holds, Is.Null);
        Assert.That(statement.Answer.Reason, Does.StartWith("held for a share of 0.6667 in the mean of 3 runs"));
        for (var i = 0; i < 13; i++)
            statement.Add(run);
        Assert.That(statement.Answer.Holds, Is.False);
    }

    private static ClusterPropertyTest Test(string text, RunLimits? limits = null) =>
        new(ClusterProperty.Parse(text, "test"), .05, .25, limits);

    private static Gen<string> Formulas(int depth) =>
        depth == 0
            ? Gen.Elements("lost = 0", "repair < 1.5s", "duplicates per publication >= 0.25", "caught up != 3ms")
            : Gen.OneOf(
                Formulas(0),
                Formulas(depth - 1).Select(inner => $"!({inner})"),
                from left in Formulas(depth - 1)
                from sign in Gen.Elements("&", "|", "=>")
                from right in Formulas(depth - 1)
                select $"({left}) {sign} {right}"
            );

    [Test]
    public void Wrong_properties_of_a_file_are_all_named_with_file_line_and_key()
    {
        var topology = TopologyFile.Parse(
            """
            {
              "name": "own", "system": "nats", "nodes": [ { "name": "a" } ],
              "properties": [
                "P>=0.9[ lots = 0 ]",
                "P>=0.9[ lost = 0 ]",
                "P>=2[ lost = 0 ]"
              ]
            }
            """u8,
            "own.json"
        );
        Assert.That(
            () => ClusterProperty.Parse(topology.Scenario.Properties),
            Throws
                .TypeOf<InputException>()
                .With.Message.StartsWith("own.json:4: properties[0], column 9: unknown measure 'lots'; allowed: ")
                .And.Message.EndsWith(
                    "\nown.json:6: properties[2], column 4: '2' is not allowed here; allowed: "
                        + "a probability above 0 and below 1."
                )
        );
    }
}
