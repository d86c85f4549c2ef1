using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Tests.Formats;

public sealed class ReportSummaryTests
{
    [TestCase("Confirmed", VerdictKind.Confirmed, VerdictKind.Confirmed)]
    [TestCase("Not worse", VerdictKind.Confirmed, VerdictKind.NotWorse)]
    [TestCase("Partly settled", VerdictKind.NotWorse, VerdictKind.Withheld)]
    [TestCase("Worse", VerdictKind.NotWorse, VerdictKind.Worse)]
    [TestCase("Worse", VerdictKind.Confirmed, VerdictKind.Worse, VerdictKind.Better)]
    [TestCase("Better", VerdictKind.Better, VerdictKind.Withheld)]
    [TestCase("Partly settled", VerdictKind.Confirmed, VerdictKind.Withheld)]
    [TestCase("Withheld", VerdictKind.Withheld)]
    [TestCase("Partial", VerdictKind.Partial)]
    public void The_weightiest_verdict_decides(string headline, params VerdictKind[] kinds)
    {
        var input = SampleReports.Empty with
        {
            Verdicts = [.. kinds.Select((kind, i) => Verdict(kind, clients: 10 + i))],
        };
        Assert.That(ReportSummary.Of(input).Headline, Is.EqualTo(headline));
    }

    [Test]
    public void The_detail_counts_every_kind()
    {
        var input = SampleReports.Empty with
        {
            Verdicts =
            [
                Verdict(VerdictKind.Confirmed, 10),
                Verdict(VerdictKind.Worse, 20),
                Verdict(VerdictKind.Withheld, 30),
                Verdict(VerdictKind.Withheld, 40),
            ],
        };
        Assert.That(ReportSummary.Of(input).Detail, Is.EqualTo("1 of 4 points confirmed, 1 worse, 2 withheld."));
    }

    // What was tested on one side only is counted apart, and in the terminal too.
    [Test]
    public void Not_worse_is_counted_apart()
    {
        VerdictReport[] verdicts =
        [
            Verdict(VerdictKind.NotWorse, 10),
            Verdict(VerdictKind.Confirmed, 20),
            Verdict(VerdictKind.NotWorse, 30),
            Verdict(VerdictKind.Withheld, 40),
        ];
        Assert.That(
            ReportSummary.Of(SampleReports.Empty with { Verdicts = verdicts }).Detail,
            Is.EqualTo("1 of 4 points confirmed, 1 withheld, 2 not worse.")
        );
        Assert.That(
            ReportSummary.Of(SampleReports.Empty with { Verdicts = [verdicts[0], verdicts[2]] }).Detail,
            Is.EqualTo("All 2 points that were verified are not worse.")
        );
        Assert.That(VerdictFamily.Tally(verdicts), Is.EqualTo("4 verdicts: 1 confirmed, 2 not worse, 1 withheld."));
        Assert.That(VerdictFamily.Tally([verdicts[0]]), Is.Null, "one verdict speaks for itself");
        Assert.That(VerdictFamily.Tally([verdicts[1], verdicts[3]]), Is.Null, "nothing to tell apart");
    }

    [TestCase(
        .594,
        1.0,
        VerdictTest.TwoSided,
        "is not worse. Rejected: 0.594 or worse; no upper side: what counts as better would begin above 0.99."
    )]
    [TestCase(.8, 1.0, VerdictTest.OneSided, "Rejected: 0.800 or worse; no upper side: one-sided test.")]
    [TestCase(.8, .98, VerdictTest.TwoSided, "Rejected: 0.800 or worse, 0.980 or better.")]
    [TestCase(
        0,
        .98,
        VerdictTest.TwoSided,
        "is not worse. Rejected: nothing that is worse (it would begin below 0.01), 0.980 or better."
    )]
    public void The_detail_says_what_a_confirmation_rejects(
        double lower,
        double upper,
        VerdictTest test,
        string expected
    )
    {
        var input = SampleReports.Empty with
        {
            Verdicts =
            [
                Verdict(lower > 0 && upper < 1 ? VerdictKind.Confirmed : VerdictKind.NotWorse, 10) with
                {
                    CountsAsPredicted = new(lower, upper),
                    Test = test,
                },
            ],
        };
        Assert.That(ReportSummary.Of(input).Detail, Does.EndWith(expected));
    }

    [Test]
    public void The_detail_of_several_confirmations_names_the_widest_indifference_and_the_missing_sides()
    {
        var input = SampleReports.Empty with
        {
            Verdicts =
            [
                Verdict(VerdictKind.NotWorse, 10) with
                {
                    CountsAsPredicted = new(.65, 1),
                },
                Verdict(VerdictKind.Confirmed, 20) with
                {
                    CountsAsPredicted = new(.8, .98),
                },
            ],
        };
        Assert.That(
            ReportSummary.Of(input).Detail,
            Is.EqualTo(
                "1 of 2 points confirmed, 1 not worse. Rejected for these: what differs by 0.25 "
                    + "or more; 1 without an upper side: what counts as better would begin above 0.99."
            )
        );
    }

    [TestCase(
        .005,
        VerdictKind.Confirmed,
        "All verdicts together: wrong with a probability of at most 0.01, if what they assume holds."
    )]
    [TestCase(.005, VerdictKind.Withheld, null)]
    [TestCase(double.NaN, VerdictKind.Confirmed, null)]
    public void The_error_of_all_verdicts_is_the_sum_of_theirs(double error, VerdictKind kind, string? expected) =>
        Assert.That(
            VerdictFamily.Error([
                Verdict(kind, 10) with
                {
                    ErrorProbability = error,
                },
                Verdict(VerdictKind.Withheld, 20) with
                {
                    ErrorProbability = error,
                },
            ]),
            Is.EqualTo(expected)
        );

    [Test]
    public void Among_equal_verdicts_the_one_with_most_clients_decides() =>
        Assert.That(
            ReportSummary
                .Of(
                    SampleReports.Empty with
                    {
                        Verdicts =
                        [
                            Verdict(VerdictKind.Confirmed, 50),
                            Verdict(VerdictKind.Confirmed, 130),
                            Verdict(VerdictKind.Confirmed, 90),
                        ],
                    }
                )
                .Decisive!.Point.Clients,
            Is.EqualTo(130)
        );

    [Test]
    public void Without_verdicts_the_headline_says_how_far_the_run_came()
    {
        var prediction = SampleReports.Prediction("UP1", 10, 10);
        ReportInput[] inputs =
        [
            SampleReports.Empty,
            SampleReports.Empty with
            {
                Log = new(),
            },
            SampleReports.Empty with
            {
                Predictions = [prediction],
            },
            SampleReports.Empty with
            {
                Predictions = [prediction],
                Interrupted = true,
            },
            SampleReports.Empty with
            {
                Interrupted = true,
                Failure = "no broker",
            },
        ];
        Assert.That(
            inputs.Select(input => ReportSummary.Of(input).Headline),
            Is.EqualTo(["No data", "No prediction", "Not verified", "Interrupted", "Failed"])
        );
    }

    private static VerdictReport Verdict(VerdictKind kind, int clients) =>
        new()
        {
            Point = new("UP1", clients, 20, 0.9, new(0.85, 0.95)),
            Kind = kind,
            Reason = "because",
            MeasuredProbability = 0.9,
        };
}
