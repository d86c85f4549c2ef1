using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Reports.Builders;

namespace MqttCheck.Reports.Tests.Builders;

public sealed class LogReportBuilderTests
{
    [Test]
    public void An_empty_log_gives_an_empty_report()
    {
        var report = LogReportBuilder.From([]);
        Assert.That(report.Exchanges, Is.Zero);
        Assert.That(report.Kinds, Is.Empty);
        Assert.That(report.BinEdgesMilliseconds, Is.Empty);
        Assert.That(report.Correlation, Is.Null);
        Assert.That(report.Scatter, Is.Null);
    }

    [Test]
    public void Quantiles_interpolate_between_order_statistics()
    {
        // 1 .. 11: numpy.quantile(range(1, 12), [.5, .9, .99]) = 6, 10, 10.9
        var report = LogReportBuilder.From([.. Enumerable.Range(1, 11).Select(latency => Exchange(latency))]);
        var kind = report.Kinds.Single();
        Assert.That((kind.MedianMilliseconds, kind.P90Milliseconds), Is.EqualTo((6, 10)));
        Assert.That(kind.P99Milliseconds, Is.EqualTo(10.9).Within(1e-12));
        Assert.That(kind.MaximumMilliseconds, Is.EqualTo(11));
    }

    [Test]
    public void Every_latency_lies_in_its_bin_even_on_an_edge()
    {
        var latencies = Gen.Choose(-30, 40)
            .Select(tenth => Math.Pow(10, tenth / 10.0))
            .Or(Gen.Choose(1, 1_000_000).Select(n => n / 1000.0));
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(42, 1),
            Prop.ForAll(
                latencies.ToArbitrary(),
                latency =>
                {
                    var report = LogReportBuilder.From([Exchange(latency)]);
                    var edges = report.BinEdgesMilliseconds;
                    return edges.Count == 2
                        && edges[0] <= latency
                        && latency < edges[1]
                        && report.Kinds[0].BinCounts.Single() == 1;
                }
            )
        );
    }

    [Test]
    public void Failed_exchanges_are_counted_by_outcome_and_have_no_latency()
    {
        var report = LogReportBuilder.From([
            Exchange(5),
            Exchange(double.NaN) with
            {
                Outcome = ExchangeOutcome.Timeout,
            },
            Exchange(9) with
            {
                Outcome = ExchangeOutcome.Violation,
            },
        ]);
        var kind = report.Kinds.Single();
        Assert.That(
            (kind.Count, kind.Outcomes[ExchangeOutcome.Timeout], kind.Outcomes[ExchangeOutcome.Violation]),
            Is.EqualTo((3, 1, 1))
        );
        Assert.That(
            (kind.Outcomes.ContainsKey(ExchangeOutcome.Refused), kind.MaximumMilliseconds, kind.BinCounts.Sum()),
            Is.EqualTo((false, 5, 1))
        );
    }

    [Test]
    public void Correlations_are_those_of_Pearson()
    {
        // numpy.corrcoef([1, 2, 4, 9], [3, 1, 5, 6])[0, 1] = 0.8025383
        double[] latency = [1, 2, 4, 9];
        int[] active = [3, 1, 5, 6];
        var report = LogReportBuilder.From([
            .. latency.Select((value, i) => Exchange(value) with { ActiveMessages = active[i] }),
        ]);
        var correlation = report.Correlation!;
        Assert.That(correlation.Coefficients[0][1], Is.EqualTo(0.8025383).Within(1e-7));
        Assert.That(correlation.Coefficients[1][0], Is.EqualTo(correlation.Coefficients[0][1]));
        Assert.That(correlation.Coefficients[0][0], Is.EqualTo(1).Within(1e-12));
        Assert.That(correlation.Coefficients[0][2], Is.NaN, "a column that never changes has no correlation");
    }

    [Test]
    public void A_long_log_gives_a_report_of_bounded_size_with_its_slowest_exchange()
    {
        var log = SampleReports.Exchanges(60_000);
        var report = LogReportBuilder.From(log, scatterPoints: 500);
        var shown = report.Scatter!.Groups.Sum(group => group.LatencyMilliseconds.Count);
        Assert.That((report.Exchanges, report.Runs), Is.EqualTo((60_000, 24)));
        Assert.That(shown, Is.InRange(400, 600));
        Assert.That(
            report.Scatter.Groups.Max(group => group.LatencyMilliseconds.Max()),
            Is.EqualTo(report.Kinds.Max(kind => kind.MaximumMilliseconds))
        );
        Assert.That(report.BinEdgesMilliseconds, Has.Count.LessThan(120));
    }

    [Test]
    public void The_duration_is_the_sum_over_runs()
    {
        var report = LogReportBuilder.From([
            Exchange(1) with
            {
                Run = 0,
                SentMicroseconds = 0,
                EndMicroseconds = 1e6,
            },
            Exchange(1) with
            {
                Run = 0,
                SentMicroseconds = 2e6,
                EndMicroseconds = 3e6,
            },
            Exchange(1) with
            {
                Run = 1,
                SentMicroseconds = 5e5,
                EndMicroseconds = 1e6,
            },
        ]);
        Assert.That(report.DurationSeconds, Is.EqualTo(3.5).Within(1e-12));
    }

    [Test]
    public void Errors_and_the_99_9_percent_quantile_are_those_of_the_kind()
    {
        var report = LogReportBuilder.From([
            .. Enumerable.Range(1, 1000).Select(latency => Exchange(latency)),
            Exchange(double.NaN) with
            {
                Outcome = ExchangeOutcome.Timeout,
            },
            Exchange(double.NaN) with
            {
                Outcome = ExchangeOutcome.Cancelled,
            },
        ]);
        Assert.That(report.Kinds[0].P999Milliseconds, Is.InRange(998, 1000));
        Assert.That(report.Kinds[0].Errors, Is.EqualTo(1), "an exchange that the end of the run cut off is no error");
    }

    private static Exchange Exchange(double latencyMilliseconds) =>
        new()
        {
            Message = MessageKind.Publish,
            LatencyMilliseconds = latencyMilliseconds,
            Outcome = ExchangeOutcome.Success,
            EndMicroseconds = latencyMilliseconds * 1000,
        };
}
