using MqttCheck.Cli.Compare;
using MqttCheck.Comparison;

namespace MqttCheck.Cli.Tests.Compare;

[TestFixture]
internal sealed class CompareHistoryTests
{
    private static readonly DateTimeOffset s_first = new(2026, 3, 1, 2, 0, 0, TimeSpan.Zero);
    private string _directory = "";

    [SetUp]
    public void Make_a_directory() => _directory = Directory.CreateTempSubdirectory("mqttcheck-history-").FullName;

    [TearDown]
    public void Delete_the_directory() => Directory.Delete(_directory, recursive: true);

    [Test]
    public void Each_result_has_a_file_of_its_own_and_no_earlier_one_is_touched()
    {
        var first = CompareHistory.Add(_directory, Result(0, .8));
        var bytes = File.ReadAllBytes(first);
        var second = CompareHistory.Add(_directory, Result(0, .7));
        CompareHistory.Add(_directory, Result(-1, .9));
        Assert.That(Path.GetFileName(first), Is.EqualTo("comparison-20260301-020000.json"));
        Assert.That(Path.GetFileName(second), Is.EqualTo("comparison-20260301-020000-2.json"));
        Assert.That(File.ReadAllBytes(first), Is.EqualTo(bytes));
        Assert.That(Directory.GetFiles(_directory), Has.Length.EqualTo(3), "nothing else is left there");
        Assert.That(
            CompareHistory.Read(_directory).Select(result => result.Points[0].SecondProbability),
            Is.EquivalentTo([.9, .8, .7])
        );
        Assert.That(CompareHistory.Read(_directory)[0].Points[0].SecondProbability, Is.EqualTo(.9), "order of time");
    }

    [Test]
    public void A_slower_broker_is_a_change_that_names_what_else_is_new()
    {
        CompareDocument[] earlier =
        [
            .. Enumerable.Range(0, 20).Select(day => Result(day, .85 + .01 * (day % 3))),
            .. Enumerable.Range(20, 3).Select(day => Result(day, .7 + .01 * (day % 3), version: "2.1")),
        ];
        var trends = CompareHistory.Trends(earlier, Result(23, .71, version: "2.1"));
        var trend = trends.Single();
        Assert.That((trend.Broker, trend.Results.Count), Is.EqualTo(("broker", 24)), "the baseline has no trend");
        var change = trend.Changes.Single();
        Assert.That(change.Since, Is.EqualTo(s_first.AddDays(20)));
        Assert.That((change.ResultsBefore, change.ResultsAfter), Is.EqualTo((20, 4)));
        Assert.That((change.Before, change.After), Is.EqualTo((.86, .71)).Within(.01));
        Assert.That(change.Also, Is.EqualTo(["broker broker 2.1, before broker 2.0"]));
    }

    [Test]
    public void Results_of_another_point_are_no_part_of_a_trend()
    {
        CompareDocument[] earlier = [Result(0, .8, clients: 50), Result(1, .8), Result(2, null)];
        Assert.That(CompareHistory.Trends(earlier, Result(3, .8)).Single().Results, Has.Count.EqualTo(2));
    }

    [Test]
    public void The_screen_the_page_and_the_JSON_file_show_the_trend()
    {
        CompareDocument[] earlier =
        [
            .. Enumerable.Range(0, 20).Select(day => Result(day, .85 + .01 * (day % 3))),
            .. Enumerable.Range(20, 3).Select(day => Result(day, .7)),
        ];
        var last = Result(23, .7);
        last = last with { Trends = CompareHistory.Trends(earlier, last) };
        var screen = new TestScreen();
        CompareReport.Print(screen.Screen, last);
        Assert.That(
            screen.Output.ReplaceLineEndings(" "),
            Does.Contain("trend: broker, up1, 100 clients, 20 ms: 1 change in 24 results")
                .And.Contain("since 2026-03-21 02:00: 0.700 in 4 results, before 0.860 in 20")
                .And.Contain("at most 0.05")
        );
        var page = CompareReport.Write(_directory, CompareReport.Output(last));
        Assert.That(File.ReadAllText(page), Does.Contain("History of broker, up1").And.Contain("2026-03-24 02:00"));
        Assert.That(
            CompareReport
                .Read(Path.Combine(_directory, "comparison.json"))
                .Trends.Single()
                .Changes.Single()
                .ResultsAfter,
            Is.EqualTo(4)
        );
    }

    [Test]
    public void Few_results_are_shown_without_a_search_for_changes()
    {
        var screen = new TestScreen();
        var only = Result(0, .8);
        CompareReport.Print(screen.Screen, only with { Trends = CompareHistory.Trends([], only) });
        Assert.That(screen.Output, Does.Contain("1 result; changes are looked for from 11 on"));
    }

    [TestCase(1.0)]
    [TestCase(null)]
    public void A_broker_that_is_always_in_time_or_was_not_measured_has_a_page(double? probability)
    {
        var only = Result(0, probability);
        only = only with { Trends = CompareHistory.Trends([], only) };
        var page = File.ReadAllText(CompareReport.Write(_directory, CompareReport.Output(only)));
        Assert.That(page, Does.Contain("History").And.Not.Contain("NaN").And.Not.Contain("∞"));
        Assert.That(CompareReport.Output(only).Draw(_directory), Is.Not.Empty);
    }

    [Test]
    public async Task A_file_of_another_kind_is_refused_before_anything_is_measured()
    {
        File.WriteAllText(Path.Combine(_directory, "comparison-1.json"), """{"format":"mqttcheck-verdicts"}""");
        var (code, screen) = await TestTool.RunAsync(
            "compare",
            "--brokers",
            "embedded,embedded",
            "--history",
            _directory,
            "--out",
            _directory
        );
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput), screen.Error);
        Assert.That(screen.Error, Does.Contain("comparison-1.json").And.Contain("mqttcheck-comparison"));
    }

    private static CompareDocument Result(int day, double? probability, int clients = 100, string version = "2.0") =>
        CompareReportTests.Comparison([TwoSampleVerdict.NoDifference]) with
        {
            Generated = s_first.AddDays(day),
            Brokers =
            [
                new("baseline", "stored", null, null, null),
                new("broker", "broker " + version, null, null, null),
            ],
            Points =
            [
                new(
                    "up1",
                    clients,
                    20,
                    "baseline",
                    "broker",
                    .85,
                    probability,
                    probability is { } known ? .85 - known : null,
                    new(-.02, .02),
                    8,
                    8,
                    4800,
                    TwoSampleVerdict.NoDifference,
                    "because"
                ),
            ],
        };
}
