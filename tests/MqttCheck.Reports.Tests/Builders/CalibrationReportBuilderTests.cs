using MqttCheck.Clients;
using MqttCheck.Reports.Builders;
using MqttCheck.Statistics;

namespace MqttCheck.Reports.Tests.Builders;

public sealed class CalibrationReportBuilderTests
{
    [Test]
    public void Even_PIT_values_fit_perfectly()
    {
        var pit = Enumerable.Range(0, 1000).Select(i => (i + 0.5) / 1000).ToArray();
        var report = CalibrationReportBuilder.From(pit, [], [], pit);
        var fit = CalibrationReportBuilder.Fit(MessageKind.Publish, pit);
        Assert.Multiple(() =>
        {
            Assert.That(report.PitCounts, Is.All.EqualTo(50));
            Assert.That(fit.KolmogorovSmirnov, Is.EqualTo(0.0005).Within(1e-9));
            Assert.That(fit.AboveP99, Is.EqualTo(0.01).Within(1e-9));
            Assert.That(report.Quantiles, Is.Empty);
        });
    }

    [Test]
    public void Certain_PIT_values_have_finite_residuals()
    {
        var report = CalibrationReportBuilder.From([0, 1, 0.5], [], [], [1, 2, 3]);
        Assert.That(report.Residuals!.Scores, Is.All.Matches<double>(double.IsFinite));
    }

    [Test]
    public void The_envelope_holds_nearly_all_quantiles_of_the_same_law()
    {
        // 20 pairs of samples of one law, seeds 0 .. 19; pointwise 95 %, so about 5 % of all quantiles lie outside.
        var outside = 0;
        var all = 0;
        for (ulong seed = 0; seed < 20; seed++)
        {
            var random = RandomStream.For(seed, 5);
            double[] Sample() => [.. Enumerable.Range(0, 2000).Select(_ => Math.Exp(SampleReports.Normal(ref random)))];
            foreach (var pair in CalibrationReportBuilder.From([], Sample(), Sample(), []).Quantiles)
            {
                all++;
                if (pair.ObservedMilliseconds < pair.LowerMilliseconds || pair.ObservedMilliseconds > pair.UpperMilliseconds) outside++;
            }
        }
        Assert.That(outside / (double)all, Is.InRange(0.005, 0.12));
    }

    [Test]
    public void Nothing_held_out_gives_an_empty_report()
    {
        var report = CalibrationReportBuilder.From([], [], [], []);
        Assert.Multiple(() =>
        {
            Assert.That(report.PitCounts, Is.Empty);
            Assert.That(report.Residuals, Is.Null);
            Assert.That(CalibrationReportBuilder.Fit(MessageKind.Connect, []).KolmogorovSmirnov, Is.NaN);
        });
    }
}
