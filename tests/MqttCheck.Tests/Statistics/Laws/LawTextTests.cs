using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Statistics.Laws;

[TestFixture]
public sealed class LawTextTests
{
    private static IEnumerable<TestCaseData> Readable() =>
        [
            new("none", new ConstantLaw(0)),
            new("constant:5ms", new ConstantLaw(5)),
            new("constant:250us", new ConstantLaw(.25)),
            new(" constant: 1.5 s ", new ConstantLaw(1500)),
            new("uniform:1ms..9ms", new UniformLaw(1, 9)),
            new("uniform:1..9ms", new UniformLaw(1, 9)),
            new("uniform:500us..2ms", new UniformLaw(.5, 2)),
            new("uniform:0..500ms", new UniformLaw(0, 500)),
            new("uniform:2..2ms", new UniformLaw(2, 2)),
            new("constant :5ms", new ConstantLaw(5)),
            new("constant:0ms", new ConstantLaw(0)),
            new("normal:5ms,0ms", new NormalLaw(5, 0)),
            new("lognormal:5ms,0", new LogNormalLaw(5, 0)),
            new("empirical:2,2ms", new EmpiricalLaw([2, 2])),
            new(
                "mixture: 2 * constant:1ms + 1 * none",
                new MixtureLaw([new(2, new ConstantLaw(1)), new(1, new ConstantLaw(0))])
            ),
            new(
                "mixture:1*none+2*constant:1ms",
                new MixtureLaw([new(1, new ConstantLaw(0)), new(2, new ConstantLaw(1))])
            ),
            new("mixture:1.e+2*constant:1ms", new MixtureLaw([new(100, new ConstantLaw(1))])),
            new("normal:5ms,1ms", new NormalLaw(5, 1)),
            new("normal:5,1ms", new NormalLaw(5, 1)),
            new("normal:-5ms,10ms", new NormalLaw(-5, 10)),
            new("lognormal:5ms,0.5", new LogNormalLaw(5, .5)),
            new("exponential:5ms", new ExponentialLaw(5)),
            new("empirical:1,2,9ms", new EmpiricalLaw([1, 2, 9])),
            new(
                "mixture:0.9*constant:1ms+0.1*lognormal:40ms,0.2",
                new MixtureLaw([new(.9, new ConstantLaw(1)), new(.1, new LogNormalLaw(40, .2))])
            ),
            new(
                "mixture:1E+2*constant:1E+2ms + 1e-1*uniform:1..2s",
                new MixtureLaw([new(100, new ConstantLaw(100)), new(.1, new UniformLaw(1000, 2000))])
            ),
        ];

    [TestCaseSource(nameof(Readable))]
    public void A_law_is_read(string text, Law expected) =>
        Assert.That(LawText.Parse(text, "--delay"), Is.EqualTo(expected));

    [TestCase("", "NAME:PARAMETERS")]
    [TestCase("fast", "NAME:PARAMETERS")]
    [TestCase("gamma:1ms", "there is no law 'gamma'")]
    [TestCase(":5ms", "there is no law ''")]
    [TestCase("constant:5", "'5' has no unit")]
    [TestCase("constant:5min", "no unit")]
    [TestCase("constant:", "no unit")]
    [TestCase("constant:ms", "not a finite number")]
    [TestCase("constant:1ms,2ms", "constant takes one parameter")]
    [TestCase("constant:NaNms", "not a finite number")]
    [TestCase("constant:Infinityms", "not a finite number")]
    [TestCase("constant:1e999ms", "not a finite number")]
    [TestCase("constant:1e308s", "'1e308s' is too large")]
    [TestCase("constant:-1ms", "-1 is negative")]
    [TestCase("uniform:9ms..1ms", "minimum is greater")]
    [TestCase("uniform:-1ms..1ms", "negative")]
    [TestCase("uniform:1ms", "uniform takes 2 parameters separated by '..'")]
    [TestCase("normal:5ms,-1ms", "negative")]
    [TestCase("lognormal:0ms,1", "the median must be positive, not 0")]
    [TestCase("lognormal:5ms", "lognormal takes 2 parameters separated by ','")]
    [TestCase("lognormal:5ms,-1", "negative")]
    [TestCase("lognormal:5ms,1ms", "not a finite number")]
    [TestCase("exponential:1ms,2ms", "exponential takes one parameter")]
    [TestCase("exponential:0ms", "the mean must be positive, not 0")]
    [TestCase("empirical:1ms", "at least two")]
    [TestCase("empirical:2,1ms", "descend")]
    [TestCase("mixture:", "WEIGHT*LAW")]
    [TestCase("mixture:constant:1ms", "WEIGHT*LAW")]
    [TestCase("mixture:0*constant:1ms", "a weight must be positive, not 0")]
    [TestCase("mixture:*constant:1ms", "'' is not a finite number")]
    [TestCase("mixture: x *constant:1ms", "'x' is not a finite number")]
    [TestCase("mixture:+1*constant:1ms", "WEIGHT*LAW, not ''")]
    [TestCase("mixture:1*mixture:1*constant:1ms", "inside a mixture")]
    [TestCase("mixture:1e308*constant:1ms+1e308*constant:1ms", "sum of the weights")]
    public void A_wrong_text_is_refused_with_place_value_reason_and_forms(string text, string reason)
    {
        var message = Assert.Throws<InputException>(() => LawText.Parse(text, "up1.json: wait")).Message;
        Assert.That(
            message,
            Does.StartWith($"up1.json: wait: '{text}'")
                .And.Contains(reason)
                .And.Contains("uniform:1ms..9ms")
                .And.EndWith("mixture:0.9*constant:1ms+0.1*lognormal:40ms,0.2 (units us, ms, s).")
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

    [Test]
    public void No_text_is_no_law()
    {
        Assert.That(
            (LawText.TryParse(null, out var law, out var problem), law, problem),
            Is.EqualTo((false, (Law?)null, "a law is NAME:PARAMETERS"))
        );
    }
}
