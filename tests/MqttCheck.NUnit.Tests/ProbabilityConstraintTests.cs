using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Testing;
using NUnit.Framework.Constraints;
using NUnit.Framework.Internal;

namespace MqttCheck.NUnit.Tests;

/// <summary>What NUnit adds to a property that holds with a probability.</summary>
[TestFixture]
public sealed class ProbabilityConstraintTests
{
    private static readonly Arbitrary<int> s_percent = Gen.Choose(1, 100).ToArbitrary();

    // The truth is 1 against .95; seed 1.
    [Test]
    public void A_property_that_holds_often_enough_passes() =>
        Assert.That(
            Prop.ForAll(s_percent, value => value <= 100),
            Meets.Probability(atLeast: .95, within: .05, error: .01)
        );

    [Test]
    public void A_refuted_property_fails_with_its_smallest_case_and_a_command_that_repeats_this_test()
    {
        var result = Meets
            .Probability(atLeast: .95)
            .WithSeed(2)
            .WithSize(10)
            .WithGenerators(typeof(Percentages))
            .WithCaseTimeout(10.Seconds())
            .Shrinking()
            .ApplyTo(Prop.ForAll((Percentage value) => value.Number <= 50));
        Assert.That(result.IsSuccess, Is.False);
        Assert.That(
            Message.Of(result),
            Does.StartWith("  Expected: a property that holds with a probability of at least 0.95")
                .And.Contain("Shrunk:   ")
                .And.Contain($"FullyQualifiedName~.{TestContext.CurrentContext.Test.MethodName} ")
                .And.Contain("--environment MQTTCHECK_SEED=2")
        );
    }

    [Test]
    public void Without_a_verdict_it_is_inconclusive_or_fails_where_that_is_asked_for_and_negation_does_not_help()
    {
        var property = Prop.ForAll(s_percent, _ => true);
        Assert.That(
            () => Meets.Probability(.95, maxCases: 10).ApplyTo(property),
            Throws.TypeOf<InconclusiveException>().With.Message.Contains("withheld: 10 cases do not decide")
        );
        Assert.That(
            () => Meets.Probability(.95, maxCases: 10).FailingWithoutVerdict().ApplyTo(property),
            Throws.TypeOf<AssertionException>()
        );
        Assert.That(
            () => new NotConstraint(Meets.Probability(.95, maxCases: 10)).ApplyTo(property),
            Throws.TypeOf<InconclusiveException>()
        );
    }

    // NUnit counts a failed assertion against the test even where it is caught.
    [Test]
    public void An_assertion_inside_of_a_property_is_a_failed_case_and_no_failure_of_the_test()
    {
        var property = Prop.ForAll(s_percent, (Action<int>)(value => Assert.That(value, Is.GreaterThan(5))));
        Assert.That(Meets.Probability(.8).ApplyTo(property).IsSuccess, Is.True);
        Assert.That(TestExecutionContext.CurrentContext.CurrentResult.AssertionResults, Is.Empty);
    }

    [Test]
    public void What_is_no_property_is_named() =>
        Assert.That(
            () => Meets.Probability(.9).ApplyTo(true),
            Throws.ArgumentException.With.Message.Contains("an FsCheck Property")
        );

    /// <summary>A value that FsCheck cannot make without a generator.</summary>
    public abstract record Percentage(int Number);

    public sealed record SomePercentage(int Number) : Percentage(Number);

    public static class Percentages
    {
        public static Arbitrary<Percentage> Make() =>
            Arb.From(
                Gen.Choose(1, 100).Select(number => (Percentage)new SomePercentage(number)),
                value => Enumerable.Range(1, value.Number - 1).Select(number => new SomePercentage(number))
            );
    }
}
