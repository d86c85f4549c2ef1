using MqttCheck.Auditing.Promises;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Tests.Auditing.Promises;

namespace MqttCheck.Tests.Requirements;

[TestFixture]
internal sealed class ProbabilityTestTests
{
    private static readonly double[] s_required = [.9, .95, .99];

    // Computed, not simulated.
    [Test]
    public void Both_errors_hold_exactly_and_every_test_ends(
        [ValueSource(nameof(s_required))] double required,
        [Values(.01, .05)] double error
    )
    {
        var test = new ProbabilityTest(new() { AtLeast = required, Error = error });
        var (low, high) = (test.CharacteristicsAt(test.Options.Low), test.CharacteristicsAt(required));
        TestContext.Out.WriteLine(
            FormattableString.Invariant($"{required}, {error}: passes wrongly {low.AcceptH1:0.00000}, fails ")
                + FormattableString.Invariant($"wrongly {high.AcceptH0:0.00000}, cases {low.ExpectedSamples:0} ")
                + FormattableString.Invariant($"and {high.ExpectedSamples:0}, at most {test.LargestCases}")
        );
        Assert.That(low.AcceptH1, Is.LessThanOrEqualTo(error).And.GreaterThan(error / 4));
        Assert.That(high.AcceptH0, Is.LessThanOrEqualTo(error).And.GreaterThan(error / 4));
        Assert.That(Math.Max(low.Undecided, high.Undecided), Is.LessThan(1e-12));
    }

    // Simulated by the rule of the audit: a thousand tests at first, seed 33; the bounds are 99 % for all cells
    // together.
    [Test]
    public void The_audit_finds_the_errors_kept()
    {
        var cells = s_required.SelectMany(required => new[] { Cell(required, false), Cell(required, true) }).ToArray();
        var results = PromiseTable.Run([new PlantedAudit(cells)], seed: 33, fewestTrials: 1000, threads: 2).ToArray();
        foreach (var result in results)
            TestContext.Out.WriteLine(
                $"{result.Cell.Subject}, {result.Cell.Situation}: wrong "
                    + $"{result.Count.Wrong} of {result.Count.Trials}: {result.Status}"
            );
        Assert.That(
            results,
            Has.All.Matches<PromiseResult>(result => result.Status == PromiseStatus.Kept && result.Count.Withheld == 0)
        );
    }

    [Test]
    public void Cases_that_all_succeed_pass_after_the_fewest_and_cases_that_all_fail_violate_sooner()
    {
        var test = new ProbabilityTest(new() { AtLeast = .95 });
        for (var i = 1; i < test.FewestCases; i++)
            Assert.That(test.Add(true), Is.EqualTo(RequirementVerdict.Withheld));
        Assert.That(test.Add(true), Is.EqualTo(RequirementVerdict.Met));
        Assert.That(
            (test.IsOver, test.Add(false), test.Count.Samples),
            Is.EqualTo((true, RequirementVerdict.Met, test.FewestCases)),
            "a verdict stays"
        );
        var violated = new ProbabilityTest(new() { AtLeast = .95 });
        while (!violated.IsOver)
            violated.Add(false);
        Assert.That(violated.Verdict, Is.EqualTo(RequirementVerdict.Violated));
        Assert.That(violated.Count.Samples, Is.LessThan(test.FewestCases));
    }

    [Test]
    public void Without_enough_cases_there_is_no_verdict()
    {
        var test = new ProbabilityTest(new() { AtLeast = .95, MaxCases = 5 });
        while (!test.IsOver)
            test.Add(true);
        Assert.That((test.Verdict, test.Count.Samples), Is.EqualTo((RequirementVerdict.Withheld, 5L)));
    }

    [TestCase(0, null, .01, null, "atLeast")]
    [TestCase(1, null, .01, null, "atLeast")]
    [TestCase(double.NaN, null, .01, null, "atLeast")]
    [TestCase(.9, .9, .01, null, "within")]
    [TestCase(.9, 0.0, .01, null, "within")]
    [TestCase(.9, null, 0, null, "error")]
    [TestCase(.9, null, .5, null, "error")]
    [TestCase(.9, null, .01, 0, "maxCases")]
    [Category("Whole")]
    public void Wrong_values_are_named(double atLeast, double? within, double error, int? maxCases, string what) =>
        Assert.That(
            () =>
                new ProbabilityTest(
                    new()
                    {
                        AtLeast = atLeast,
                        Within = within,
                        Error = error,
                        MaxCases = maxCases,
                    }
                ),
            Throws.TypeOf<InputException>().With.Message.Contains(what)
        );

    private static PromiseCell Cell(double required, bool isMet)
    {
        var options = new ProbabilityOptions { AtLeast = required };
        var made = new ProbabilityTest(options);
        var truth = isMet ? required : options.Low;
        return new()
        {
            Subject = FormattableString.Invariant($"{required} required"),
            Situation = FormattableString.Invariant($"{truth} true"),
            Law = RunLaw.BetaBinomial(1.2),
            Guarantee = Guarantee.Any,
            Promise = options.Error,
            Trial = random =>
            {
                var test = made.Again();
                while (!test.IsOver)
                    test.Add(random.NextDouble() < truth);
                return test.Verdict == RequirementVerdict.Withheld ? TrialOutcome.Withheld
                    : (test.Verdict == RequirementVerdict.Met) == isMet ? TrialOutcome.Right
                    : TrialOutcome.Wrong;
            },
        };
    }
}
