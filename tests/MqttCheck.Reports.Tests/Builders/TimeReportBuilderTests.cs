using MqttCheck.Logs;
using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Tests.Builders;

public sealed class TimeReportBuilderTests
{
    // Two runs of 40 s, each with its own clock: parts of one second.
    private static TimeReport Two() =>
        LogReportBuilder
            .From([
                .. Enumerable.Range(0, 400).Select(i => Sent(run: 3, seconds: 100 + (i * .1), latency: 5)),
                .. Enumerable.Range(0, 800).Select(i => Sent(run: 7, seconds: i * .05, latency: 10 + (i % 20))),
            ])
            .OverTime!;

    [Test]
    public void Runs_stand_one_after_the_other_whatever_their_clocks_say()
    {
        var time = Two();
        Assert.That(time.BinSeconds, Is.EqualTo(1).Within(.01));
        Assert.That(time.RunStartSeconds, Is.EqualTo([0, 40]).Within(.2));
        Assert.That(time.Exchanges.Sum(), Is.EqualTo(1200), "every exchange is counted once");
        Assert.That(time.Exchanges.Take(39), Has.All.InRange(9, 11));
        Assert.That(time.Exchanges.Skip(41), Has.All.InRange(18, 22));
    }

    [Test]
    public void Each_part_has_the_quantiles_of_its_own_latencies()
    {
        var time = Two();
        Assert.That(time.MedianMilliseconds.Take(39), Has.All.EqualTo(5));
        Assert.That(time.MedianMilliseconds.Skip(42), Has.All.InRange(18, 21));
        Assert.That(time.P99Milliseconds.Skip(42), Has.All.InRange(28, 29));
    }

    [Test]
    public void Failures_are_counted_where_they_were_sent_and_a_part_without_success_has_no_latency()
    {
        var time = LogReportBuilder
            .From([
                Sent(0, 0, 1),
                Sent(0, 40, double.NaN) with
                {
                    Outcome = ExchangeOutcome.ConnectionLost,
                },
                Sent(0, 60, double.NaN) with
                {
                    Outcome = ExchangeOutcome.Cancelled,
                },
                Sent(0, 79.999, 1),
            ])
            .OverTime!;
        Assert.That((time.Errors.Sum(), time.Errors[40]), Is.EqualTo((1, 1)));
        Assert.That(time.MedianMilliseconds[40], Is.NaN);
    }

    [Test]
    public void A_log_in_which_no_time_passes_has_no_course() =>
        Assert.That(LogReportBuilder.From([new() { LatencyMilliseconds = 1 }]).OverTime, Is.Null);

    private static Exchange Sent(int run, double seconds, double latency) =>
        new()
        {
            Run = run,
            SentMicroseconds = seconds * 1e6,
            EndMicroseconds = (seconds * 1e6) + (double.IsNaN(latency) ? 0 : latency * 1e3),
            LatencyMilliseconds = latency,
            Outcome = ExchangeOutcome.Success,
        };
}
