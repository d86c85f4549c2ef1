using MqttCheck.Clients;
using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Input;
using MqttCheck.Statistics;

namespace MqttCheck.Reports.Tests.Builders;

public sealed class CalibrationReportBuilderTests
{
    [Test]
    public void Even_PIT_values_fit_perfectly()
    {
        var pit = Enumerable.Range(0, 1000).Select(i => (i + 0.5) / 1000).ToArray();
        var report = CalibrationReportBuilder.From(pit, pit, [], [], [], []);
        var fit = CalibrationReportBuilder.Fit(MessageKind.Publish, pit);
        Assert.That(report.PitCounts, Is.All.EqualTo(50));
        Assert.That((fit.KolmogorovSmirnov, fit.AboveP99), Is.EqualTo((0.0005, 0.01)).Within(1e-9));
        Assert.That(report.Quantiles, Is.Empty);
    }

    [Test]
    public void Certain_PIT_values_have_finite_residuals()
    {
        var report = CalibrationReportBuilder.From([0, 1, 0.5], [1, 2, 3], [], [], [], []);
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
            foreach (var pair in CalibrationReportBuilder.From([], [], [], [], [Sample()], [Sample()]).Quantiles)
            {
                all++;
                if (
                    pair.ObservedMilliseconds < pair.LowerMilliseconds
                    || pair.ObservedMilliseconds > pair.UpperMilliseconds
                )
                    outside++;
            }
        }
        Assert.That(outside / (double)all, Is.InRange(0.005, 0.12));
    }

    [Test]
    public void Nothing_held_out_gives_an_empty_report()
    {
        var report = CalibrationReportBuilder.From([], [], [], [], [], []);
        Assert.That(report.PitCounts, Is.Empty);
        Assert.That(report.Residuals, Is.Null);
        Assert.That(CalibrationReportBuilder.Fit(MessageKind.Connect, []).KolmogorovSmirnov, Is.NaN);
    }

    [Test]
    public void Quantiles_are_compared_by_kind_where_there_is_something_to_compare()
    {
        double[] connects = [.. Enumerable.Range(1, 40).Select(i => (double)i)],
            publishes = [.. connects.Select(latency => 10 * latency)];
        var report = CalibrationReportBuilder.From(
            [],
            [],
            [],
            [],
            [connects, [], publishes, [], []],
            [connects, connects, connects, [], []]
        );
        Assert.That(
            report.QuantilesByKind.Select(kind => (kind.Kind, kind.Observed, kind.Replayed)),
            Is.EqualTo(new[] { (MessageKind.Connect, 40, 40), (MessageKind.Publish, 40, 40) })
        );
        Assert.That(
            report.QuantilesByKind[0].Quantiles,
            Is.All.Matches<QuantilePair>(pair => pair.ObservedMilliseconds == pair.PredictedMilliseconds)
        );
        Assert.That(
            report.QuantilesByKind[1].Quantiles,
            Is.All.Matches<QuantilePair>(pair => pair.ObservedMilliseconds > pair.UpperMilliseconds)
        );
    }

    [Test]
    public void Residuals_keep_kind_and_features_of_every_nth_exchange()
    {
        var pit = Enumerable.Range(0, 6001).Select(i => (i + 0.5) / 6001).ToArray();
        var kinds = pit.Select((_, i) => i % 2 == 0 ? MessageKind.Connect : MessageKind.Publish).ToArray();
        var residuals = CalibrationReportBuilder
            .From(pit, pit, kinds, [new("number", [.. pit.Select((_, i) => (double)i)])], [], [])
            .Residuals!;
        Assert.That(residuals.Scores, Has.Count.EqualTo(2001));
        Assert.That(residuals.Features.Single().Values.Take(3), Is.EqualTo(new[] { 0.0, 3, 6 }));
        Assert.That(
            residuals.Kinds.Take(3),
            Is.EqualTo(new[] { MessageKind.Connect, MessageKind.Publish, MessageKind.Connect })
        );
    }
}
