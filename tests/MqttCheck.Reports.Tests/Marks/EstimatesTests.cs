using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Tests.Marks;

public sealed class EstimatesTests
{
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
        Assert.That(Estimates.InTime(report, threshold).Probability, Is.EqualTo(share));
    }
}
