using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Sequential;

namespace MqttCheck.Tests.Sequential;

/// <summary>
/// A case counts as the property's own code says, whatever form the property has, and its values are told.
/// </summary>
[TestFixture]
internal sealed class PropertySourceLawTests
{
    private const int Cases = 60;

    private static readonly Arbitrary<int> s_number = Gen.Choose(0, 99).ToArbitrary();

    // What the property of a number does: it holds, is false, throws, or rejects the number.
    private static bool? Expected(int number) =>
        (number % 4) switch
        {
            0 => true,
            1 or 2 => false,
            _ => null,
        };

    private static bool Evaluate(int number) =>
        (number % 4) switch
        {
            0 => true,
            1 => false,
            2 => throw new InvalidDataException($"bad {number}"),
            _ => Prop.Discard<bool>(),
        };

    private static IEnumerable<TestCaseData> Forms() =>
        [
            Form("a function", seen => Prop.ForAll(s_number, (Func<int, bool>)(value => Evaluate(seen(value))))),
            Form("an action", seen => Prop.ForAll(s_number, (Action<int>)(value => Demand(Evaluate(seen(value)))))),
            Form(
                "a property",
                seen => Prop.ForAll(s_number, (Func<int, Property>)(value => Evaluate(seen(value)).ToProperty()))
            ),
            Form(
                "a precondition",
                seen =>
                    Prop.ForAll(
                        s_number,
                        (Func<int, Property>)(value => (Expected(seen(value)) is not null).When(() => Evaluate(value)))
                    )
            ),
            Form(
                "an implication",
                seen =>
                    Prop.ForAll(
                        s_number,
                        (Func<int, Property>)(
                            value => (Expected(seen(value)) is not null).Implies((Func<bool>)(() => Evaluate(value)))
                        )
                    )
            ),
            Form(
                "a label",
                seen =>
                    Prop.ForAll(
                        s_number,
                        (Func<int, Property>)(
                            value => ((Func<bool>)(() => Evaluate(seen(value)))).Label("of the value")
                        )
                    )
            ),
            Form(
                "a classification",
                seen =>
                    Prop.ForAll(
                        s_number,
                        (Func<int, Property>)(
                            value =>
                                ((Func<bool>)(() => Evaluate(seen(value))))
                                    .Classify(value > 50, "large")
                                    .Collect(value % 3)
                        )
                    )
            ),
            Form("two numbers", seen => Prop.ForAll(s_number, s_number, (value, _) => Evaluate(seen(value)))),
            Form(
                "three numbers",
                seen => Prop.ForAll(s_number, s_number, s_number, (value, _, _) => Evaluate(seen(value)))
            ),
            Form(
                "one inside another",
                seen =>
                    Prop.ForAll(
                        s_number,
                        (Func<int, Property>)(
                            value => Prop.ForAll(s_number, (Func<int, bool>)(_ => Evaluate(seen(value))))
                        )
                    )
            ),
            Form(
                "both of two",
                seen =>
                    Prop.ForAll(
                        s_number,
                        (Func<int, Property>)(
                            value => ((Func<bool>)(() => Evaluate(seen(value)))).ToProperty().And(true.ToProperty())
                        )
                    )
            ),
            Form(
                "a task",
                seen =>
                    Prop.ForAll(
                        s_number,
                        (Func<int, Task>)(
                            async value =>
                            {
                                await Task.Yield();
                                if (Expected(seen(value)) is { } holds)
                                    Demand(holds);
                            }
                        )
                    ),
                task: true
            ),
            Form(
                "a task with a result",
                seen =>
                    Prop.ForAll(
                        s_number,
                        (Func<int, Task<bool>>)(
                            async value =>
                            {
                                await Task.Yield();
                                return Expected(seen(value)) ?? true;
                            }
                        )
                    ),
                task: true
            ),
            Form(
                "a task with a property",
                seen =>
                    Prop.ForAll(
                        s_number,
                        (Func<int, Task<Property>>)(
                            async value =>
                            {
                                await Task.Yield();
                                return (Expected(seen(value)) ?? false).When(Expected(value) is not null);
                            }
                        )
                    )
            ),
        ];

    [TestCaseSource(nameof(Forms))]
    public void An_outcome_is_what_the_property_says_of_the_value_that_it_got_once(
        Func<Func<int, int>, Property> make,
        bool neverRejects
    )
    {
        var seen = new List<int>();
        var source = new PropertySource(
            make(value =>
            {
                seen.Add(value);
                return value;
            }),
            11
        );
        for (var number = 0; number < Cases; number++)
        {
            seen.Clear();
            var holds = source.Run(number, out var failure);
            // A label or a precondition may look at the value twice; a second value would be a shrunk one.
            Assert.That(seen.Distinct().Count(), Is.EqualTo(1));
            var expected = Expected(seen[0]) ?? (neverRejects ? true : null);
            Assert.That((holds, failure is null), Is.EqualTo((expected, holds != false)));
            if (failure is not null)
                Assert.That(
                    failure.Values.Split('\n')[0].Trim(),
                    Is.EqualTo(seen[0].ToString(CultureInfo.InvariantCulture))
                );
        }
    }

    // Every number from 0 to 60 passes; FsCheck shrinks what fails to the smallest that does.
    [Test]
    public void A_failing_case_can_be_shrunk_and_begins_with_the_same_values()
    {
        var source = new PropertySource(
            Prop.ForAll(
                Arb.From(Gen.Choose(0, 1000), value => Enumerable.Range(0, value)),
                value =>
                {
                    if (value > 60)
                        throw new InvalidDataException("too large");
                }
            ),
            12
        );
        var shrunk = 0;
        for (var number = 0; number < Cases; number++)
        {
            if (source.Run(number, out var failure) != false)
                continue;
            var smallest = source.Shrink(failure!);
            Assert.That((smallest.Values, smallest.Reason), Is.EqualTo(("61", "InvalidDataException: too large")));
            if (smallest.Shrinks > 0)
                shrunk++;
        }
        Assert.That(shrunk, Is.GreaterThan(Cases / 2));
    }

    [Test]
    public void A_case_that_does_not_fail_again_stays_as_it_is()
    {
        var calls = 0;
        var source = new PropertySource(Prop.ForAll(s_number, _ => ++calls > 1), 13);
        Assert.That(source.Run(0, out var failure), Is.False);
        Assert.That(source.Shrink(failure!), Is.SameAs(failure));
    }

    [Test]
    public void A_failing_case_has_its_reason_and_its_labels()
    {
        var source = new PropertySource(
            Prop.ForAll(
                s_number,
                (Func<int, Property>)(_ => ((Func<bool>)(() => throw new TimeoutException("slow"))).Label("answered"))
            ),
            14
        );
        source.Run(0, out var failure);
        Assert.That((failure!.Reason, failure.Labels), Is.EqualTo(("TimeoutException: slow", new[] { "answered" })));
    }

    [Test]
    public void A_cancelled_task_is_a_failure() =>
        Assert.That(
            new PropertySource(Prop.ForAll(s_number, (Func<int, Task>)(_ => Task.FromCanceled(new(true)))), 15).Next(),
            Is.False
        );

    [Test]
    public void A_generator_that_throws_is_named_with_its_case_and_seed()
    {
        var broken = Gen.Choose(0, 1).Select<int, int>(_ => throw new NotSupportedException("no values")).ToArbitrary();
        Assert.That(
            () => new PropertySource(Prop.ForAll(broken, _ => true), 16).Run(3),
            Throws.InvalidOperationException.With.Message.Contains(
                "The values of case 3 of seed 16 could not be generated: NotSupportedException: no values"
            )
        );
    }

    // The number of the case, one line for each value, and no step of shrinking.
    [Test]
    public void A_failing_case_has_its_number_and_every_value()
    {
        var seen = (0, 0);
        var source = new PropertySource(
            Prop.ForAll(
                s_number,
                s_number,
                (first, second) =>
                {
                    seen = (first, second);
                    return false;
                }
            ),
            17
        );
        source.Run(5, out var failure);
        Assert.That(
            failure!.Values.Split('\n').Select(line => int.Parse(line, CultureInfo.InvariantCulture)),
            Is.EqualTo(new[] { seen.Item1, seen.Item2 })
        );
        Assert.That((failure.Values, failure.Number, failure.Shrinks), Is.EqualTo((failure.Values.Trim(), 5L, 0)));
        Assert.That(failure.Labels, Is.Empty);
    }

    // FsCheck says it with a plain exception, whose type would tell nothing.
    [Test]
    public void A_property_that_is_false_is_told_in_the_words_of_FsCheck()
    {
        new PropertySource(Prop.ForAll(s_number, _ => false), 18).Run(0, out var failure);
        Assert.That(failure!.Reason, Is.EqualTo("Expected true, got false."));
    }

    // The tasks of tasks wrap what was thrown, which the reason does not show.
    [Test]
    public void What_a_task_throws_is_told_without_its_wrapping()
    {
        var wrapped = new AggregateException(new AggregateException(new InvalidDataException("late")));
        new PropertySource(Prop.ForAll(s_number, (Action<int>)(_ => throw wrapped)), 19).Run(0, out var failure);
        Assert.That(failure!.Reason, Is.EqualTo("InvalidDataException: late"));
    }

    // Were the values those of another case, the smaller ones would belong to another failure.
    [Test]
    public void A_case_that_fails_with_other_values_is_not_shrunk()
    {
        var source = new PropertySource(Prop.ForAll(s_number, _ => false), 20);
        source.Run(0, out var failure);
        var other = failure! with { Values = "other" };
        Assert.That(source.Shrink(other), Is.SameAs(other));
    }

    [Test]
    public void A_generator_that_is_cancelled_cancels_the_case_and_the_shrinking()
    {
        var cancelled = Gen.Choose(0, 1).Select<int, int>(_ => throw new OperationCanceledException()).ToArbitrary();
        var source = new PropertySource(Prop.ForAll(cancelled, _ => true), 21);
        Assert.That(() => source.Run(0, out _), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(() => source.Shrink(new(0, "1", 0, "late", [])), Throws.InstanceOf<OperationCanceledException>());
    }

    private static TestCaseData Form(string name, Func<Func<int, int>, Property> make, bool task = false) =>
        new TestCaseData(make, task).SetArgDisplayNames(name);

    private static void Demand(bool holds)
    {
        if (!holds)
            throw new InvalidDataException("false");
    }
}
