using MqttCheck.Checking;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;

namespace MqttCheck.Reports.Tests.Formats;

public sealed class ReportSummaryTests
{
    [TestCase("As predicted", VerdictKind.Confirmed, VerdictKind.Confirmed)]
    [TestCase("Worse than predicted", VerdictKind.Confirmed, VerdictKind.Worse, VerdictKind.Better)]
    [TestCase("Better than predicted", VerdictKind.Better, VerdictKind.Withheld)]
    [TestCase("Partly settled", VerdictKind.Confirmed, VerdictKind.Withheld)]
    [TestCase("No verdict", VerdictKind.Withheld)]
    [TestCase("Interrupted", VerdictKind.Partial)]
    public void The_weightiest_verdict_decides(string headline, params VerdictKind[] kinds)
    {
        var input = SampleReports.Empty with { Verdicts = [.. kinds.Select((kind, i) => Verdict(kind, clients: 10 + i))] };
        Assert.That(ReportSummary.Of(input).Headline, Is.EqualTo(headline));
    }

    [Test]
    public void The_detail_counts_every_kind()
    {
        var input = SampleReports.Empty with { Verdicts = [Verdict(VerdictKind.Confirmed, 10), Verdict(VerdictKind.Worse, 20), Verdict(VerdictKind.Withheld, 30), Verdict(VerdictKind.Withheld, 40)] };
        Assert.That(ReportSummary.Of(input).Detail, Is.EqualTo("1 of 4 points as predicted, 1 worse than predicted, 2 without a verdict."));
    }

    [Test]
    public void Among_equal_verdicts_the_one_with_most_clients_decides() =>
        Assert.That(ReportSummary.Of(SampleReports.Empty with { Verdicts = [Verdict(VerdictKind.Confirmed, 50), Verdict(VerdictKind.Confirmed, 130), Verdict(VerdictKind.Confirmed, 90)] }).Decisive!.Point.Clients, Is.EqualTo(130));

    [Test]
    public void Without_verdicts_the_headline_says_how_far_the_run_came()
    {
        var prediction = SampleReports.Prediction("UP1", 10, 10);
        Assert.Multiple(() =>
        {
            Assert.That(ReportSummary.Of(SampleReports.Empty).Headline, Is.EqualTo("No data"));
            Assert.That(ReportSummary.Of(SampleReports.Empty with { Log = new() }).Headline, Is.EqualTo("No prediction"));
            Assert.That(ReportSummary.Of(SampleReports.Empty with { Predictions = [prediction] }).Headline, Is.EqualTo("Not verified"));
            Assert.That(ReportSummary.Of(SampleReports.Empty with { Predictions = [prediction], Interrupted = true }).Headline, Is.EqualTo("Interrupted"));
            Assert.That(ReportSummary.Of(SampleReports.Empty with { Interrupted = true, Failure = "no broker" }).Headline, Is.EqualTo("Failed"));
        });
    }

    private static VerdictReport Verdict(VerdictKind kind, int clients) =>
        new() { Point = new("UP1", clients, 20, 0.9, new(0.85, 0.95)), Kind = kind, Reason = "because", MeasuredProbability = 0.9 };
}
