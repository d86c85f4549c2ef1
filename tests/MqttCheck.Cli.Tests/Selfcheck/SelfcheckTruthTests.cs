using MqttCheck.App.Clusters.Selfcheck;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Cli.Tests.Selfcheck;

public sealed class SelfcheckTruthTests
{
    [TestCase(0.5, 5.2)]
    [TestCase(0.75, 5.3)]
    [TestCase(1.0, 5.4)]
    public void A_constant_delay_moves_every_quantile(double share, double expected) =>
        Assert.That(
            SelfcheckTruth.Quantile(SelfcheckTruth.Values(new ConstantLaw(5)), [0.1, 0.2, 0.3, 0.4], share),
            Is.EqualTo(expected).Within(1e-12)
        );

    // 0.8 of the weight lies at 2.1 .. 2.2, the rest at 12.1 .. 12.2.
    [TestCase(0.4, 2.1)]
    [TestCase(0.8, 2.2)]
    [TestCase(0.9, 12.1)]
    [TestCase(0.95, 12.2)]
    public void Two_modes_divide_the_quantiles(double share, double expected) =>
        Assert.That(
            SelfcheckTruth.Quantile(
                SelfcheckTruth.Values(LawText.Parse("mixture:0.8*constant:2ms+0.2*constant:12ms", "test")),
                [0.1, 0.2],
                share
            ),
            Is.EqualTo(expected).Within(1e-12)
        );

    [Test]
    public void Other_laws_have_no_such_truth() =>
        Assert.That(() => SelfcheckTruth.Values(new UniformLaw(0, 1)), Throws.ArgumentException);

    [TestCase(0.25, 150)]
    [TestCase(1, 0)]
    [TestCase(2, 0)]
    public void A_stall_of_a_second_at_200_messages_a_second(double seconds, double expected) =>
        Assert.That(SelfcheckTruth.Above(200, 1, seconds), Is.EqualTo(expected));

    [Test]
    public void A_row_passes_within_its_bound_and_not_without_a_measurement()
    {
        var row = new SelfcheckRow("x", 5.1, 5, 0.11, "ms");
        Assert.That((row.Passes, (row with { Truth = 4.9 }).Passes), Is.EqualTo((true, false)));
        Assert.That((row with { Truth = null }).Passes, Is.False, "without a truth the value itself is judged");
        Assert.That((row with { Measured = double.NaN }).Passes, Is.False);
    }
}
