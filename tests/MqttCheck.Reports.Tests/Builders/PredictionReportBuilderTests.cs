using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Input;
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

    [TestCase(3, 0.5)]
    [TestCase(1e9, 0.75)]
    public void In_time_means_below_the_threshold_and_not_failed(double threshold, double share)
    {
        var report = new PredictionReport
        {
            Profile = "UP1",
            Clients = 10,
            SortedWorstMilliseconds = [1, 2, 3, double.PositiveInfinity],
        };
        Assert.That(Setups.InTime(report, threshold).Probability, Is.EqualTo(share));
    }
}
