using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Sequential;

namespace MqttCheck.Tests.Sequential;

[TestFixture]
public sealed class PropertySourceTests
{
    // Holds in 90 of 100 cases.
    private static Property Mostly(Action? onRun = null) =>
        Prop.ForAll(
            Gen.Choose(1, 100).ToArbitrary(),
            value =>
            {
                onRun?.Invoke();
                return value <= 90;
            }
        );

    // A truth of .9 against .8 with both errors 1e-6; seed 1.
    [Test]
    public void A_property_can_be_tested_like_a_broker()
    {
        var source = new PropertySource(Mostly(), 1);
        var (decision, count) = SequentialSampling.Decide(source.Next, new SprtPlan(.8, .9, 1e-6, 1e-6).Decide);
        Assert.That((decision, count.Samples), Is.EqualTo((SprtDecision.AcceptH1, source.NextCase)));
        var early = SequentialSampling.Decide(
            new PropertySource(Mostly(), 1).Next,
            new MixtureTest(.9, 1e-6).Decide,
            100
        );
        Assert.That((early.Decision, early.Count.Samples), Is.EqualTo((SprtDecision.Undecided, 100L)));
    }

    // Estimated within .05 with an error of 1e-6; seed 2.
    [Test]
    public void A_property_can_be_estimated() =>
        Assert.That(
            SequentialSampling
                .Estimate(new PropertySource(Mostly(), 2).Next, new SequentialClopperPearsonRule(.05, 1e-6))
                .Share,
            Is.EqualTo(.9).Within(.05)
        );

    [Test]
    public void Sampling_can_be_stopped()
    {
        using var stopped = new CancellationTokenSource();
        stopped.Cancel();
        var source = new PropertySource(Mostly(), 2);
        Assert.That(
            () => SequentialSampling.Estimate(source.Next, new OkamotoRule(.05, .01), stopped.Token),
            Throws.InstanceOf<OperationCanceledException>()
        );
        Assert.That(source.NextCase, Is.Zero);
    }

    [Test]
    public void A_case_can_be_repeated_by_its_number()
    {
        var source = new PropertySource(Mostly(), 4);
        bool?[] first = [.. Enumerable.Range(0, 50).Select(_ => (bool?)source.Next())];
        Assert.That(Enumerable.Range(0, 50).Select(i => new PropertySource(Mostly(), 4).Run(i)), Is.EqualTo(first));
        Assert.That(first, Does.Contain(false).And.Contain(true));
    }

    [Test]
    public void A_rejected_case_gives_no_outcome()
    {
        var even = new PropertySource(Prop.ForAll<int>(value => (value % 2 == 0).When(value % 2 == 0)), 6);
        Assert.That(Enumerable.Range(0, 20).Select(_ => even.Next()), Is.All.True);
        Assert.That(even.NextCase, Is.GreaterThan(20));
    }

    [Test]
    public void A_source_gives_up_after_a_thousand_rejected_cases()
    {
        var source = new PropertySource(Prop.ForAll<int>(_ => true.When(false)), 8);
        Assert.That(
            () => source.Next(),
            Throws.InvalidOperationException.With.Message.Contains("rejected 1000 cases in a row")
        );
        Assert.That(source.NextCase, Is.EqualTo(1000));
    }

    // FsCheck's integers lie no farther from 0 than the size.
    [TestCase(0, 1)]
    [TestCase(3, 7)]
    public void Values_are_as_large_as_the_size_allows(int size, int most)
    {
        var seen = new HashSet<int>();
        var source = new PropertySource(Prop.ForAll<int>(value => seen.Add(value) || true), 9, size);
        for (var i = 0; i < 200; i++)
            source.Next();
        Assert.That(seen, Has.Count.EqualTo(most).And.All.InRange(-size, size));
    }

    [Test]
    public void A_size_below_0_is_refused() =>
        Assert.That(
            () => new PropertySource(Mostly(), 1, -1),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("size")
        );

    [Test]
    public void Values_can_come_from_the_generators_of_a_type()
    {
        var source = new PropertySource(Prop.ForAll<Colour>(colour => colour.Number == 7), 10, 50, typeof(Colours));
        for (var i = 0; i < 20; i++)
            Assert.That(source.Next(), Is.True);
    }

    public sealed record Colour(int Number);

    public static class Colours
    {
        public static Arbitrary<Colour> OneColour() => Gen.Constant(new Colour(7)).ToArbitrary();
    }
}
