using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Statistics.Laws;

[TestFixture]
public sealed class LawTextTests
{
    private static IEnumerable<TestCaseData> Readable()
    {
        yield return new("none", new ConstantLaw(0));
        yield return new("constant:5ms", new ConstantLaw(5));
        yield return new("constant:250us", new ConstantLaw(.25));
        yield return new(" constant: 1.5 s ", new ConstantLaw(1500));
        yield return new("uniform:1ms..9ms", new UniformLaw(1, 9));
        yield return new("uniform:1..9ms", new UniformLaw(1, 9));
        yield return new("uniform:500us..2ms", new UniformLaw(.5, 2));
        yield return new("uniform:0..500ms", new UniformLaw(0, 500));
        yield return new("normal:5ms,1ms", new NormalLaw(5, 1));
        yield return new("normal:5,1ms", new NormalLaw(5, 1));
        yield return new("normal:-5ms,10ms", new NormalLaw(-5, 10));
        yield return new("lognormal:5ms,0.5", new LogNormalLaw(5, .5));
        yield return new("exponential:5ms", new ExponentialLaw(5));
        yield return new("empirical:1,2,9ms", new EmpiricalLaw([1, 2, 9]));
        yield return new(
            "mixture:0.9*constant:1ms+0.1*lognormal:40ms,0.2",
            new MixtureLaw([new(.9, new ConstantLaw(1)), new(.1, new LogNormalLaw(40, .2))])
        );
        yield return new(
            "mixture:1E+2*constant:1E+2ms + 1e-1*uniform:1..2s",
            new MixtureLaw([new(100, new ConstantLaw(100)), new(.1, new UniformLaw(1000, 2000))])
        );
    }

    [TestCaseSource(nameof(Readable))]
    public void A_law_is_read(string text, Law expected) =>
        Assert.That(LawText.Parse(text, "--delay"), Is.EqualTo(expected));

    [TestCase("", "NAME:PARAMETERS")]
    [TestCase("fast", "NAME:PARAMETERS")]
    [TestCase("gamma:1ms", "no law 'gamma'")]
    [TestCase("constant:5", "no unit")]
    [TestCase("constant:5min", "no unit")]
    [TestCase("constant:", "no unit")]
    [TestCase("constant:ms", "not a finite number")]
    [TestCase("constant:1ms,2ms", "one parameter")]
    [TestCase("constant:NaNms", "not a finite number")]
    [TestCase("constant:Infinityms", "not a finite number")]
    [TestCase("constant:1e999ms", "not a finite number")]
    [TestCase("constant:1e308s", "too large")]
    [TestCase("constant:-1ms", "negative")]
    [TestCase("uniform:9ms..1ms", "minimum is greater")]
    [TestCase("uniform:-1ms..1ms", "negative")]
    [TestCase("uniform:1ms", "2 parameters")]
    [TestCase("normal:5ms,-1ms", "negative")]
    [TestCase("lognormal:0ms,1", "must be positive")]
    [TestCase("lognormal:5ms,-1", "negative")]
    [TestCase("lognormal:5ms,1ms", "not a finite number")]
    [TestCase("exponential:0ms", "must be positive")]
    [TestCase("empirical:1ms", "at least two")]
    [TestCase("empirical:2,1ms", "descend")]
    [TestCase("mixture:", "WEIGHT*LAW")]
    [TestCase("mixture:constant:1ms", "WEIGHT*LAW")]
    [TestCase("mixture:0*constant:1ms", "must be positive")]
    [TestCase("mixture:1*mixture:1*constant:1ms", "inside a mixture")]
    [TestCase("mixture:1e308*constant:1ms+1e308*constant:1ms", "sum of the weights")]
    public void A_wrong_text_is_refused_with_place_value_reason_and_forms(string text, string reason)
    {
        var message = Assert.Throws<InputException>(() => LawText.Parse(text, "up1.json: wait")).Message;
        Assert.That(
            message,
            Does.StartWith($"up1.json: wait: '{text}'").And.Contains(reason).And.Contains("uniform:1ms..9ms")
        );
    }

    [Test]
    public void Reading_does_not_depend_on_the_culture()
    {
        var before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = new CultureInfo("") { NumberFormat = { NumberDecimalSeparator = "," } };
            Assert.That(
                LawText.Parse(new LogNormalLaw(1.5, .5).ToString(), "test"),
                Is.EqualTo(new LogNormalLaw(1.5, .5))
            );
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Test]
    public void The_text_of_every_law_reads_back_as_an_equal_law() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(1000).WithReplay(20180901, 3),
            Prop.ForAll(Laws.Any.ToArbitrary(), law => LawText.Parse(law.ToString(), "test").Equals(law))
        );
}
