using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Requirements;
using MqttCheck.Sequential;
using MqttCheck.Statistics;
using MqttCheck.Testing.Requirements;

namespace MqttCheck.Testing.Tests.Requirements;

[TestFixture]
internal sealed class ProbabilityRequirementTests
{
    private static readonly Arbitrary<int> s_percent = Arb.From(
        Gen.Choose(1, 100),
        value => Enumerable.Range(0, value)
    );

    // The truth is 1 against .95; seed 1.
    [Test]
    public void A_property_that_holds_often_enough_is_met() =>
        Assert.That(
            Requirement
                .Probability(atLeast: .95, within: .05, error: .01)
                .Decide(Prop.ForAll(s_percent, value => value <= 100))
                .IsMet
        );

    [Test]
    public void A_refuted_property_shows_the_smallest_of_its_failing_cases_which_were_not_shrunk()
    {
        var runs = 0;
        var result = Requirement
            .Probability(atLeast: .95)
            .WithSeed(2)
            .Decide(
                Prop.ForAll(
                    s_percent,
                    value =>
                    {
                        runs++;
                        if (value > 50)
                            throw new InvalidDataException($"{value} is too large");
                    }
                )
            );
        Assert.That(result.IsMet, Is.False);
        var message = result.Message;
        TestContext.Out.WriteLine(message);
        Assert.That(message, Does.Contain("Expected: a property that holds with a probability of at least 0.95"));
        Assert.That(message, Does.Match(@"But was:  a probability of 0\.\d{3} \(95 % interval 0\.\d{3} to 0\.\d{3}\)"));
        Assert.That(message, Does.Match($@"Seen:     it held in \d+ of {runs} cases"));
        Assert.That(
            message,
            Does.Contain(
                "a test passes although the truth is 0.9 or less, or fails although it is 0.95 or more, "
                    + "with a probability of at most 0.01 each, if cases are independent of each other"
            )
        );
        Assert.That(
            message,
            Does.Match(
                @"Case:     number \d+, the smallest of \d+ failing cases: InvalidDataException: (\d+) is too large\s+\1"
            )
        );
        Assert.That(message, Does.Contain("--environment MQTTCHECK_SEED=2"));
        Assert.That(message, Does.Not.Contain("Shrunk:"));
    }

    [Test]
    public void The_failing_case_that_is_shown_has_the_shortest_text_and_came_first_of_these()
    {
        var failing = new List<int>();
        var result = Requirement
            .Probability(atLeast: .95)
            .WithSeed(3)
            .Decide(
                Prop.ForAll(
                    Gen.Elements(1, 22, 333, 4444, 55555, 666666).ToArbitrary(),
                    value =>
                    {
                        if (value == 1)
                            return;
                        failing.Add(value);
                        throw new InvalidDataException($"{value} is too large");
                    }
                )
            );
        var message = result.Message;
        Assert.That(
            failing[0],
            Is.Not.EqualTo(failing.Min()),
            "with this seed the first failing case is not the smallest"
        );
        Assert.That(failing.Max(), Is.Not.EqualTo(failing.Min()));
        Assert.That(
            message,
            Does.Match($@"the smallest of {failing.Count} failing cases: .*: {failing.Min()} is too large")
        );
    }

    [Test]
    public void A_refuted_property_is_shrunk_where_that_is_asked_for()
    {
        var result = Requirement
            .Probability(atLeast: .95)
            .WithSeed(2)
            .Shrinking()
            .Decide(Prop.ForAll(s_percent, value => value <= 50));
        Assert.That(result.Message, Does.Match(@"Shrunk:   \d+ times: Expected true, got false\.\s+51\s"));
    }

    [Test]
    public void Too_few_cases_are_withheld()
    {
        var decision = Requirement.Probability(.95, maxCases: 10).Decide(Prop.ForAll(s_percent, _ => true));
        Assert.That(decision.Verdict, Is.EqualTo(RequirementVerdict.Withheld));
        Assert.That(
            decision.Message,
            Does.Match(
                "withheld: 10 cases do not decide, maxCases allows no more; "
                    + @"a property that always holds takes \d+, any at most \d+"
            )
        );
    }

    [Test]
    public void A_property_whose_cases_are_all_rejected_is_withheld()
    {
        var decision = Requirement.Probability(.95).Decide(Prop.ForAll(s_percent, value => true.When(value > 100)));
        Assert.That(decision.Verdict, Is.EqualTo(RequirementVerdict.Withheld));
        Assert.That(
            decision.Message,
            Does.Contain("the property's precondition rejected 1000 cases in a row")
                .And.Contain("But was:  no case that counts")
        );
    }

    [Test]
    public void Rejected_cases_are_not_counted_and_mentioned()
    {
        var result = Requirement
            .Probability(.9)
            .Decide(Prop.ForAll(s_percent, value => (value > 75).When(value % 2 == 0)));
        Assert.That(result.IsMet, Is.False);
        Assert.That(result.Message, Does.Match(@"cases; its precondition rejected \d+ more"));
    }

    [Test, CancelAfter(60_000)]
    [Category("Whole")]
    public void A_case_that_never_ends_is_named_with_its_seed([Values] bool blocks)
    {
        using var release = new ManualResetEventSlim();
        var calls = 0;
        var property = Prop.ForAll(
            s_percent,
            async _ =>
            {
                if (++calls < 8)
                    return;
                if (blocks)
                    release.Wait(CancellationToken.None);
                else
                    await new TaskCompletionSource().Task;
            }
        );
        Assert.That(
            () => Requirement.Probability(.95).WithSeed(9).WithCaseTimeout(1.Seconds()).Decide(property),
            Throws
                .TypeOf<CaseException>()
                .With.Message.StartsWith(
                    "Case 7 of seed 9 did not end within 1 s; its code still runs. Before it, it held in 7 of 7 cases."
                )
        );
        release.Set();
    }

    [Test]
    public void A_generator_that_throws_is_told_with_what_was_seen_before()
    {
        var calls = 0;
        var broken = Gen.Choose(0, 1)
            .Select<int, int>(value => ++calls < 4 ? value : throw new NotSupportedException("no values"))
            .ToArbitrary();
        Assert.That(
            () => Requirement.Probability(.95).Decide(Prop.ForAll(broken, _ => true)),
            Throws
                .TypeOf<CaseException>()
                .With.Message.Match(
                    @"The values of case \d of seed 1 could not be generated: NotSupportedException: no values "
                        + @"Before it, it held in \d of \d cases"
                )
        );
    }

    [Test]
    [Category("Whole")]
    public void Wrong_values_are_named()
    {
        WrongValue.AssertRefused(
            ("the required probability (atLeast) is 1", () => Requirement.Probability(1)),
            ("the distance (within) is 0.9", () => Requirement.Probability(.9, within: .9)),
            ("", () => Requirement.Probability(.9, error: .5)),
            ("", () => Requirement.Probability(.9, maxCases: 0))
        );
        Assert.That(() => Requirement.Probability(.9).Decide(null!), Throws.ArgumentNullException);
    }

    // 1 000 properties of each truth, error .05, seed 32: at p - d passing is wrong, at p failing is. With the stated
    // error more than 82 are wrong with a probability of 6e-6 (1 - pbinom(82, 1000, .05)).
    [TestCase(.9, .1)]
    [TestCase(.95, .1)]
    [TestCase(.99, .05)]
    [Category("Whole")]
    public void A_verdict_on_properties_is_wrong_at_most_as_often_as_stated(double required, double within)
    {
        const int properties = 1000;
        foreach (var isMet in (bool[])[false, true])
        {
            var truth = (int)Math.Round(10_000 * (isMet ? required : required - within));
            var property = Prop.ForAll(Gen.Choose(1, 10_000).ToArbitrary(), value => value <= truth);
            var wrong = 0;
            var made = new ProbabilityTest(
                new()
                {
                    AtLeast = required,
                    Within = within,
                    Error = .05,
                }
            );
            Parallel.For(
                0,
                properties,
                new ParallelOptions { MaxDegreeOfParallelism = 2 },
                number =>
                {
                    var seed = RandomStream.For(32, (ulong)number).NextUInt64();
                    var source = new PropertySource(property, seed);
                    var test = made.Again();
                    while (!test.IsOver)
                        test.Add(source.Next());
                    Assert.That(test.Verdict, Is.Not.EqualTo(RequirementVerdict.Withheld));
                    if ((test.Verdict == RequirementVerdict.Met) != isMet)
                        Interlocked.Increment(ref wrong);
                }
            );
            TestContext.Out.WriteLine(
                FormattableString.Invariant(
                    $"{required} required, {truth / 1e4} true: wrong in {wrong} of {properties}"
                )
            );
            Assert.That(wrong, Is.LessThanOrEqualTo(82));
        }
    }
}
