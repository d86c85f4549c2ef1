using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Page;

namespace MqttCheck.Reports.Tests.Builders;

public sealed class PredictionReportBuilderTests
{
    // sqrt(ln(2 / .01) / 2120) = .0499921; the published table of the inequality gives .05 for 1060.
    [TestCase(1060, 0.99, 0.0499921)]
    [TestCase(100, 0.95, 0.1358102)]
    public void The_band_is_that_of_Massart(int replications, double confidence, double halfWidth) =>
        Assert.That(
            PredictionReportBuilder.BandHalfWidth(replications, confidence),
            Is.EqualTo(halfWidth).Within(1e-6)
        );

    [Test]
    public void A_failed_sequence_is_never_in_time()
    {
        var report = PredictionReportBuilder.From("UP1", 10, 4, [3, double.NaN, 1, double.PositiveInfinity], 0.99, []);
        Assert.Multiple(() =>
        {
            Assert.That(
                report.SortedWorstMilliseconds,
                Is.EqualTo([1, 3, double.PositiveInfinity, double.PositiveInfinity])
            );
            Assert.That(Setups.InTime(report, 1e9).Probability, Is.EqualTo(0.5));
        });
    }

    [Test]
    public void In_time_means_below_the_threshold()
    {
        var report = PredictionReportBuilder.From("UP1", 10, 4, [1, 2, 3, 4], 0.99, []);
        Assert.That(Setups.InTime(report, 3).Probability, Is.EqualTo(0.5));
    }

    [Test]
    public void Thinning_moves_no_probability_by_more_than_half_a_thousandth()
    {
        var worst = Enumerable.Range(0, 137_800).Select(i => Math.Exp(i * 7919 % 137_800 / 40_000.0)).ToArray();
        var report = PredictionReportBuilder.From("UP1", 130, 1060, worst, 0.99, []);
        Array.Sort(worst);
        Assert.That(report.SortedWorstMilliseconds, Has.Count.EqualTo(PredictionReportBuilder.KeptLatencies));
        var largest = Enumerable
            .Range(0, 500)
            .Select(i => 1 + i * 0.06)
            .Max(threshold =>
                Math.Abs(Setups.InTime(report, threshold).Probability - SortedValues.ShareBelow(worst, threshold))
            );
        Assert.That(largest, Is.LessThanOrEqualTo(0.0005));
    }
}
