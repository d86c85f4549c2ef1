using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Properties.Traces;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Properties.Live;

/// <summary>The verdict on a property from runs of 60 clients; seeds are fixed.</summary>
[TestFixture]
internal sealed class LivePropertyVerdictTests
{
    private static readonly Population s_up1 = Population.Of(TestProfiles.Up1);
    private static readonly LiveProperty s_property = LiveProperty.Of(
        TraceProperty.Parse("P>=0.9[ G latency(publish) < 50ms ]"),
        s_up1
    );

    private static LivePropertyTest Test(Guarantee guarantee = Guarantee.Model, double error = .01) =>
        s_property.Requirement(error, guarantee: guarantee) is var options
            ? new(s_property, options, LivePropertyPlan.For(s_property, options, s_up1, 60).Runs)
            : null!;

    [TestCase(60, 0, true)]
    [TestCase(0, 0, false)]
    [TestCase(10, 50, true, TestName = "Traces_about_which_it_says_nothing_are_left_out")]
    public void Runs_decide(int fulfilling, int silent, bool holds)
    {
        var test = Test();
        for (var runs = 0; !test.IsOver; runs++)
        {
            Assert.That(runs, Is.LessThan(100));
            test.AddRun(new(fulfilling, silent, 60, 0, 0));
        }
        Assert.That((test.Result.Holds, test.Result.Observed), Is.EqualTo((holds, holds ? 1 : 0)));
        Assert.That(
            test.Result.Seen,
            silent == 0 ? Does.Not.Contain("says nothing") : Does.Contain("(83.3%) it says nothing, they are left out")
        );
        Assert.That(
            test.Result.Promise,
            Does.Contain(
                "if runs are independent of each other and vary around one level "
                    + "like a beta law, with a correlation of at most .4 inside a run"
            )
        );
        Assert.That(
            test.Result.NotExcluded,
            Does.StartWith($"Not excluded after {test.Result.Runs.Count} runs: another state of the broker")
        );
    }

    [Test]
    public void What_says_nothing_in_all_traces_is_withheld_after_the_runs_that_a_verdict_would_take()
    {
        var test = Test();
        while (!test.IsOver)
            test.AddRun(new(0, 60, 60, 0, 0));
        Assert.That(
            (test.Result.Holds, test.Result.Observed, test.Result.NotExcluded),
            Is.EqualTo(((bool?)null, (double?)null, (string?)null))
        );
        Assert.That(test.Result.Runs, Has.Count.EqualTo(Math.Min(test.Plan.FirstMetLook, test.Plan.FirstViolatedLook)));
        Assert.That(
            test.Result.Reason,
            Is.EqualTo(
                $"the property says nothing about any of the {60 * test.Result.Runs.Count} "
                    + "traces: none has a message that it asks about"
            )
        );
    }

    // Half of the runs have 60 traces that the property speaks of, of which 76.5 % fulfil it, half have 6 that all do:
    // of such traces .5 (45.9 + 6) / .5 (60 + 6) = .786 fulfil it, which is below the .79 that must not be found met;
    // the mean share of the runs is .8825. 400 verifications of up to 200 runs at an error of .05: were it used up,
    // more than 33 wrong ones would come with a probability of .002. Seeds 1 .. 400.
    [Test]
    public void Without_an_assumption_runs_that_say_little_do_not_count_as_much_as_those_that_say_more()
    {
        var property = LiveProperty.Of(TraceProperty.Parse("P>=0.8[ G latency(publish) < 50ms ]"), s_up1);
        var options = property.Requirement(.05, .01, Guarantee.Any);
        var wrong = 0;
        for (ulong seed = 1; seed <= 400; seed++)
        {
            var random = RandomStream.For(seed);
            // What LivePropertyTest asks; describing the result after each run would take minutes.
            var test = new RequirementTest(options, new(3, 3, 3, 1));
            var verdict = RequirementVerdict.Withheld;
            for (var runs = 0; runs < 200 && verdict == RequirementVerdict.Withheld; runs++)
            {
                var speaks = random.NextInt(2) == 0 ? 60 : 6;
                var fulfilling = 6;
                if (speaks == 60)
                    fulfilling = Fulfilling(ref random);
                var run = new LiveRun(fulfilling, 60 - speaks, 60, 0, 0);
                verdict = test.Decide(run.Count, run.Silent);
            }
            if (verdict == RequirementVerdict.Met)
                wrong++;
        }
        TestContext.Out.WriteLine($"{wrong} of 400 wrong");
        Assert.That(wrong, Is.LessThanOrEqualTo(33));

        static int Fulfilling(ref RandomStream random)
        {
            var count = 0;
            for (var i = 0; i < 60; i++)
                if (random.NextDouble() < .765)
                    count++;
            return count;
        }
    }

    [Test]
    public void The_plan_says_how_many_runs_there_will_be_and_refuses_a_time_that_cannot_suffice()
    {
        var any = s_property.Requirement(.01, guarantee: Guarantee.Any);
        var plan = LivePropertyPlan.For(s_property, any, s_up1, 60);
        Assert.That(
            plan.Announcement,
            Does.Match(
                @"^a verdict takes \d+ runs at least \(\d+ s\), \d+ \(\d+ s\) if all traces fulfil it, \d+ \(\d+ s\) if just the required share does$"
            )
        );
        Assert.That(
            () => plan.Require(new(TimeSpan.FromSeconds(10)), "--budget"),
            Throws
                .TypeOf<InputException>()
                .With.Message.StartsWith("--budget: 10s given cannot suffice: a verdict takes")
        );
        Assert.That(() => plan.Require(new(plan.Planned), "--budget"), Throws.Nothing);
        // The runs that a measurement has already made take no time.
        Assert.That(() => plan.Require(new(TimeSpan.FromSeconds(1)), "Within", plan.Runs.FirstMetLook), Throws.Nothing);
        var far = LiveProperty.Of(TraceProperty.Parse("P>=0.9[ F<=25msg latency > 50ms ]"), s_up1);
        Assert.That(
            () => LivePropertyPlan.For(far, far.Requirement(.01), s_up1, 60, countedSequences: 2),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains(
                    "takes 3 sequences of a client, and a run has 2; allowed: 3 sequences per client or more"
                )
        );
        Assert.That(LivePropertyPlan.For(far, far.Requirement(.01), s_up1, 60).CountedSequences % 3, Is.Zero);
    }
}
