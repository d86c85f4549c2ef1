using System.Globalization;
using MqttCheck.Reports.Charts;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Reports.Tests.Charts;

/// <summary>The descriptions of the charts: what a reader must find in each, by whatever it is drawn.</summary>
public sealed class ChartTests
{
    private static readonly ReportInput s_report = SampleReports.WithPrevious(
        SampleReports.Full(exchanges: 3000, clients: [10, 60, 150], replications: 200)
    );

    private static IEnumerable<TestCaseData> All() =>
        HtmlReport
            .Figures(s_report)
            .Select(figure => new TestCaseData(figure.Chart).SetArgDisplayNames(figure.StillName));

    [TestCaseSource(nameof(All))]
    public void The_columns_of_every_mark_are_of_one_length_and_inside_of_the_axes(object described)
    {
        var chart = (Chart)described;
        foreach (var mark in chart.Marks.Where(mark => mark.Y.Count > 0))
        {
            foreach (var column in new[] { mark.Y, mark.X2, mark.Y2 }.OfType<IReadOnlyList<double>>())
                Assert.That(column, Has.Count.EqualTo(mark.X.Count), $"{mark.Shape}");
            foreach (var texts in new[] { mark.Texts, mark.Tips }.OfType<IReadOnlyList<string>>())
                Assert.That(texts, Has.Count.EqualTo(mark.X.Count), $"{mark.Shape}");
            var scales = chart
                .X.Where(axis => axis.When is null || axis.When.All(mark.When!.Contains))
                .Select(x => x.Scale);
            foreach (var column in new[] { mark.X, mark.X2 }.OfType<IReadOnlyList<double>>())
                AssertInside(column, scales.Single(), $"{mark.Shape} across");
            foreach (var column in new[] { mark.Y, mark.Y2 }.OfType<IReadOnlyList<double>>())
                AssertInside(column, chart.Y.Scale, $"{mark.Shape} up");
        }
        Assert.That(chart.Marks.Any(mark => mark.Tip is not null || mark.Tips is not null), "the pointer finds a text");
    }

    private static void AssertInside(IReadOnlyList<double> values, Scale scale, string what) =>
        Assert.That(
            values.Where(value => double.IsFinite(value) && (value < scale.Low - 1e-9 || value > scale.High + 1e-9)),
            Is.Empty,
            what
        );

    [Test]
    public void Each_verdict_has_the_mark_of_its_kind_each_run_a_dot_and_the_run_before_a_cross()
    {
        var chart = ComparisonChart.Of(s_report)!;
        foreach (var (verdict, row) in s_report.Verdicts.Select((verdict, row) => (verdict, row)))
        {
            var (role, symbol) = Looks.Verdict(verdict.Kind);
            Assert.That(
                chart.Marks.Any(mark =>
                    mark is { Shape: MarkShape.Symbols, IsHollow: true }
                    && (mark.Role, mark.Symbol) == (role, symbol)
                    && mark.X.Zip(mark.Y)
                        .Any(at => at.First == verdict.MeasuredProbability && Math.Round(-at.Second) == row)
                ),
                verdict.Reason
            );
        }
        var runs = chart.Marks.Where(mark =>
            mark is { Shape: MarkShape.Symbols, IsHollow: false, Symbol: Symbol.Circle }
        );
        Assert.That(runs.Sum(mark => mark.X.Count(double.IsFinite)), Is.EqualTo(5 * 5), "five runs of each point");
        Assert.That(Crosses(chart), Is.EqualTo(5));
        Assert.That(Crosses(ComparisonChart.Of(s_report with { PreviousVerdicts = [] })!), Is.Zero);
        Assert.That(
            Tips(chart)[2],
            Does.Contain("UP1, 150 clients, 30 ms").And.Contain("\n5 runs: ").And.Contain("\nthe run before: ")
        );

        static int Crosses(Chart chart) =>
            chart.Marks.Where(mark => mark.Symbol == Symbol.Times).Sum(mark => mark.X.Count(double.IsFinite));
    }

    [Test]
    public void Thresholds_differ_in_symbol_and_colour_and_measurements_stand_beside_them()
    {
        var chart = Figure("probability-UP1");
        var predicted = chart.Marks.Where(mark => mark is { Shape: MarkShape.Symbols, IsHollow: false }).ToArray();
        Assert.That(predicted, Has.Length.EqualTo(4));
        Assert.That(predicted.Select(mark => mark.Symbol), Is.Unique);
        Assert.That(predicted.Select(mark => mark.Role), Is.Unique);
        Assert.That(
            chart.Marks.Where(mark => mark is { Shape: MarkShape.Symbols, IsHollow: true }).SelectMany(mark => mark.Y),
            Is.EquivalentTo(
                s_report
                    .Verdicts.Where(verdict => verdict.Point.Profile == "UP1")
                    .Select(verdict => verdict.MeasuredProbability)
            )
        );
        Assert.That(Tips(chart), Has.Some.Match("^60 clients, 20 ms\npredicted .*\nmeasured "));
        Assert.That(
            chart.Marks.Single(mark => mark.Shape == MarkShape.Level).Except,
            Is.EqualTo(new double[] { 12, 20, 30, 50 }),
            "the threshold of the slider has a line of its own where it is none of these"
        );
    }

    [Test]
    public void Beyond_what_training_covered_a_chart_is_shaded_and_says_so()
    {
        var setups = s_report.Predictions.Where(prediction => prediction.Profile == "UP1").ToArray();
        Chart Trained(double clients) => ProbabilityChart.Of(setups, [], [20], clients)!;
        Assert.That(Trained(200).Notes, Is.Empty);
        var beyond = Trained(60);
        Assert.That(beyond.Notes.Single().Text, Is.EqualTo("shaded: extrapolated"));
        Assert.That(
            beyond
                .Marks.Where(mark => mark is { Shape: MarkShape.Boxes, Role: Role.Warn, X: [60] })
                .Select(mark => mark.X2),
            Is.EqualTo(new[] { new[] { beyond.X[0].Scale.High } })
        );
    }

    [Test]
    public void Areas_of_decision_and_the_meanings_of_bounds_stand_beside_the_evidence()
    {
        var chart = EvidenceChart.Of(s_report.Verdicts[0])!;
        var path = s_report.Verdicts[0].Paths[0];
        Assert.That(
            chart
                .Marks.Where(mark => mark.Shape == MarkShape.Boxes)
                .Select(mark => (mark.Role, mark.Y[0], mark.Y2![0])),
            Is.EqualTo(
                new[]
                {
                    (Role.Good, path.UpperBound, chart.Y.Scale.High),
                    (Role.Bad, chart.Y.Scale.Low, path.LowerBound),
                }
            )
        );
        Assert.That(
            chart.Notes.Select(note => (note.Role, note.Text[..13])),
            Is.EqualTo(new[] { (Role.Good, "upper bound: "), (Role.Bad, "lower bound: ") })
        );
        Assert.That(chart.EndNames.Select(end => end.Text), Is.EqualTo(new[] { "not worse", "not better" }));
    }

    [Test]
    public void Each_setup_has_its_distribution_and_the_threshold_is_read_off_it()
    {
        var chart = Figure("worst");
        foreach (var (prediction, index) in s_report.Predictions.Select((prediction, index) => (prediction, index)))
        {
            var value = index.ToString(CultureInfo.InvariantCulture);
            var marks = chart.Marks.Where(mark => mark.When![WorstChart.Setup] == value).ToArray();
            Assert.That(
                marks.Select(mark => mark.Shape),
                Is.EqualTo(new[] { MarkShape.Distribution, MarkShape.Reading })
            );
            Assert.That(marks.Select(mark => mark.X), Is.All.SameAs(prediction.SortedWorstMilliseconds));
            Assert.That(marks[0].HalfWidth, Is.EqualTo(prediction.BandHalfWidth));
        }
        Assert.That(chart.Marks.Count(mark => chart.IsStill(mark.When)), Is.EqualTo(2), "a picture shows one setup");
        Assert.That(chart.Threshold, Is.EqualTo(20), "the threshold of the first verdict");
    }

    [Test]
    public void Latency_and_rate_over_time_mark_runs_and_failures()
    {
        var failing = s_report.Log!.OverTime!.Errors.Count(errors => errors > 0);
        Assert.That(failing, Is.Positive, "the sample has failures");
        Assert.That(
            Figure("rate-time").Marks.Single(mark => mark.Symbol == Symbol.Triangle).X,
            Has.Count.EqualTo(failing)
        );
        foreach (var name in (string[])["rate-time", "latency-time"])
            Assert.That(
                Figure(name).Marks.Single(mark => mark.Shape == MarkShape.Segments).X,
                Has.Count.EqualTo(23),
                "24 runs"
            );
    }

    [Test]
    public void Points_are_shown_for_every_choice_of_a_column_and_a_kind()
    {
        foreach (var name in (string[])["scatter", "residuals"])
        {
            var chart = Figure(name);
            var (columns, kinds) = (chart.Choices[0], chart.Choices[1]);
            Assert.That(
                kinds.Options.Select(option => option.Value).ToArray(),
                Has.Length.EqualTo(6).And.ItemAt(0).EqualTo("all kinds")
            );
            foreach (var column in columns.Options.Select(option => option.Key))
            {
                var dots = chart
                    .Marks.Where(mark => mark.Shape == MarkShape.Dots && mark.When![columns.Name] == column)
                    .ToArray();
                Assert.That(
                    dots.Select(mark => mark.When![kinds.Name]),
                    Is.EquivalentTo(kinds.Options.Skip(1).Select(kind => kind.Key))
                );
                Assert.That(dots.Select(mark => mark.Symbol), Is.Unique);
                Assert.That(chart.X.Count(axis => axis.When![columns.Name] == column), Is.EqualTo(1));
            }
            Assert.That(
                chart.Marks.Count(mark => mark.Shape == MarkShape.Dots && chart.IsStill(mark.When)),
                Is.EqualTo(5)
            );
        }
    }

    private static Chart Figure(string name) =>
        HtmlReport.Figures(s_report).Single(figure => figure.StillName == name).Chart!;

    private static string[] Tips(Chart chart) => [.. chart.Marks.SelectMany(mark => mark.Tips ?? [])];
}
