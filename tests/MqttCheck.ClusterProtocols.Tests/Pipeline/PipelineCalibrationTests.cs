using MqttCheck.ClusterProtocols.Pipeline.Simulating;

namespace MqttCheck.ClusterProtocols.Tests.Pipeline;

[TestFixture]
internal sealed class PipelineCalibrationTests
{
    // The article's means at 1 000 000 messages a second: 8 ms and 75 ms. The fit takes one replication, and others
    // have a mean of their own.
    [Test]
    [Category("Whole")]
    public void The_fitted_pipeline_has_the_published_means()
    {
        var times = PipelineCalibration.Fit(8, 75, seed: 1);
        var result = PipelineCalibration.Measure(times, seed: 1, replications: 6, error: .05);
        Assert.Multiple(() =>
        {
            Assert.That(result.Acknowledgement, Is.EqualTo(8).Within(.2));
            Assert.That(result.Delivery, Is.EqualTo(75).Within(5));
            Assert.That(result.Interval.Lower, Is.LessThanOrEqualTo(result.InTime));
            Assert.That(result.Interval.Upper, Is.GreaterThanOrEqualTo(result.InTime));
            Assert.That(result.InTime, Is.InRange(.5, .99));
        });
    }

    [Test]
    public void Means_below_the_linger_cannot_be_fitted() =>
        Assert.That(
            () => PipelineCalibration.Fit(4, 75, seed: 1),
            Throws.ArgumentException.With.Message.Contains("no time of the log makes a mean of 4 ms")
        );
}
