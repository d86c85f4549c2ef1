using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Tests.Formats;

public sealed class AnswerWordsTests
{
    [TestCase(VerdictKind.Confirmed, "200 clients, 16 ms: 85 of 100 sequences in time, as predicted (87).")]
    [TestCase(VerdictKind.NotWorse, "200 clients, 16 ms: 85 of 100 sequences in time, not worse than predicted (87).")]
    [TestCase(VerdictKind.Worse, "200 clients, 16 ms: 85 of 100 sequences in time, worse than predicted (87).")]
    [TestCase(VerdictKind.Better, "200 clients, 16 ms: 85 of 100 sequences in time, better than predicted (87).")]
    [TestCase(
        VerdictKind.Withheld,
        "200 clients, 16 ms: 85 of 100 sequences in time, 87 predicted; the verdict is withheld."
    )]
    [TestCase(
        VerdictKind.Partial,
        "200 clients, 16 ms: 85 of 100 sequences in time, 87 predicted; the verdict is partial."
    )]
    public void The_answer_says_how_many_of_100_sequences_were_in_time(VerdictKind kind, string answer) =>
        Assert.That(Answer([Verdict(kind, 200)]), Is.EqualTo(answer));

    [Test]
    public void The_answer_is_that_of_the_verdict_that_decides_and_names_its_profile_among_several() =>
        Assert.That(
            Answer([
                Verdict(VerdictKind.Confirmed, 400),
                Verdict(VerdictKind.Worse, 200) with
                {
                    Point = new("up2", 200, 16, .87, new(.84, .9)),
                },
            ]),
            Is.EqualTo("up2, 200 clients, 16 ms: 85 of 100 sequences in time, worse than predicted (87).")
        );

    [Test]
    public void A_Monte_Carlo_estimate_that_contradicts_stands_in_the_answer() =>
        Assert.That(
            Answer([
                Verdict(VerdictKind.Confirmed, 200) with
                {
                    MonteCarlo = new(1000, 10, .5, new(.4, .6), .95, false),
                },
            ]),
            Does.EndWith("as predicted (87); Monte Carlo contradicts 1 verdict.")
        );

    [Test]
    public void Without_a_verdict_the_answer_is_the_prediction_for_the_most_clients() =>
        Assert.That(
            ReportSummary
                .Of(
                    SampleReports.Empty with
                    {
                        Predictions =
                        [
                            new()
                            {
                                Profile = "up1",
                                Clients = 10,
                                Points = [new("up1", 10, 20, .9, new(.8, 1))],
                            },
                            new()
                            {
                                Profile = "up1",
                                Clients = 50,
                                Points =
                                [
                                    new("up1", 50, 10, .1, new(0, .2)),
                                    new("up1", 50, 20, .8, new(.7, .9)),
                                    new("up1", 50, 90, 1, new(.9, 1)),
                                ],
                            },
                        ],
                    }
                )
                .Answer,
            Is.EqualTo("50 clients, 20 ms: 80 of 100 sequences in time predicted; nothing was verified.")
        );

    [Test]
    public void With_nothing_measured_the_answer_says_so() =>
        Assert.That(
            ReportSummary.Of(SampleReports.Empty).Answer,
            Is.EqualTo("Nothing was measured, predicted or verified.")
        );

    private static string Answer(IReadOnlyList<VerdictReport> verdicts) =>
        ReportSummary.Of(SampleReports.Empty with { Verdicts = verdicts }).Answer;

    private static VerdictReport Verdict(VerdictKind kind, int clients) =>
        new()
        {
            Point = new("up1", clients, 16, .87, new(.84, .9)),
            Kind = kind,
            Reason = "because of it",
            MeasuredProbability = .852,
            MeasuredInterval = new(.8, .9),
            Samples = 1000,
        };
}
