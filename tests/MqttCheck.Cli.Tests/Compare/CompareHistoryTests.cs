using MqttCheck.App.Compare;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Compare;
using MqttCheck.Comparison;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Tests.Compare;

[TestFixture]
internal sealed class CompareHistoryTests : DirectoryFixture
{
    private static readonly DateTimeOffset s_first = new(2026, 3, 1, 2, 0, 0, TimeSpan.Zero);

    [Test]
    public void Each_result_has_a_file_of_its_own_and_no_earlier_one_is_touched()
    {
        var first = CompareHistory.Add(Folder, Result(0, .8)).Path;
        var bytes = File.ReadAllBytes(first);
        var second = CompareHistory.Add(Folder, Result(0, .7)).Path;
        CompareHistory.Add(Folder, Result(-1, .9));
        Assert.That(
            (Path.GetFileName(first), Path.GetFileName(second), File.ReadAllBytes(first)),
            Is.EqualTo(("comparison-20260301-020000.json", "comparison-20260301-020000-2.json", bytes))
        );
        Assert.That(Directory.GetFiles(Folder), Has.Length.EqualTo(3), "nothing else is left there");
        Assert.That(
            CompareHistory.Read(Folder).Select(result => result.Points[0].SecondProbability),
            Is.EquivalentTo([.9, .8, .7])
        );
        Assert.That(CompareHistory.Read(Folder)[0].Points[0].SecondProbability, Is.EqualTo(.9), "order of time");
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
        Assert.That(
            (change.Since, change.ResultsBefore, change.ResultsAfter),
            Is.EqualTo((s_first.AddDays(20), 20, 4))
        );
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
        var page = CompareReport.Write(Folder, CompareReport.Output(last));
        Assert.That(File.ReadAllText(page), Does.Contain("History of broker, up1").And.Contain("2026-03-24 02:00"));
        Assert.That(
            CompareFile.Read(In("comparison.json")).Trends.Single().Changes.Single().ResultsAfter,
            Is.EqualTo(4)
        );
    }

    [Test]
    public void Few_results_are_shown_without_a_search_for_changes()
    {
        var screen = new TestScreen();
        var only = Result(0, .8);
        CompareReport.Print(screen.Screen, only with { Trends = CompareHistory.Trends([], only) });
        Assert.That(screen.Output, Does.Contain("1 result; changes are looked for from 13 on"));
    }

    [TestCase(1.0)]
    [TestCase(null)]
    public void A_broker_that_is_always_in_time_or_was_not_measured_has_a_page(double? probability)
    {
        var only = Result(0, probability);
        only = only with { Trends = CompareHistory.Trends([], only) };
        var page = File.ReadAllText(CompareReport.Write(Folder, CompareReport.Output(only)));
        Assert.That(page, Does.Contain("History").And.Not.Contain("NaN").And.Not.Contain("∞"));
        Assert.That(CompareReport.Output(only).Draw(Folder), Is.Not.Empty);
    }

    [Test]
    public Task A_file_of_another_kind_is_refused_before_anything_is_measured()
    {
        File.WriteAllText(In("comparison-1.json"), """{"format":"mqttcheck-verdicts"}""");
        return TestTool.AssertRefusedAsync(
            ["compare", "--brokers", "embedded,embedded", "--history", Folder, "--out", Folder],
            "comparison-1.json",
            "mqttcheck-comparison"
        );
    }

    // Looks at the latest 200 of a level: a directory that keeps no more finds what the whole series shows.
    [Test]
    public void Results_keep_their_numbers_and_looks_their_findings_when_old_files_are_deleted()
    {
        const int kept = 200;
        var random = RandomStream.For(74);
        double[] values =
        [
            .. Enumerable
                .Range(0, 245)
                .Select(at => Math.Round((at is < 30 or >= 238 ? .7 : .8) + .05 * random.NextDouble(), 3)),
        ];
        var files = new Queue<string>();
        CompareHistory.Added? added = null;
        foreach (var (day, value) in values.Index())
        {
            added = CompareHistory.Add(Folder, Result(day, value));
            files.Enqueue(added.Path);
            if (files.Count > kept)
                File.Delete(files.Dequeue());
        }
        var trend = added!.Trends.Single();
        Assert.That(
            (trend.Number, trend.Results.Count, trend.Changes.Select(change => change.Number - 1)),
            Is.EqualTo((245, kept, LevelChanges.Find(values)))
        );
        Assert.That(trend.Changes.Select(change => change.Number), Is.EqualTo([31, 239]));
        Assert.That(trend.Changes[0].Before, Is.EqualTo(values[..30].Average()).Within(1e-9), "deleted long ago");
        Assert.That(trend.Changes[0].Since, Is.EqualTo(s_first.AddDays(30)));
    }

    // The files as they are read, without a disk, so that there can be many histories.
    [Test]
    public void Few_histories_that_keep_less_than_they_saw_show_a_change_where_nothing_changes()
    {
        const int histories = 60;
        const ulong seed = 75;
        var wrong = 0;
        for (ulong history = 0; history < histories; history++)
        {
            var random = RandomStream.For(seed, history);
            List<CompareDocument> kept = [];
            CompareDocument last;
            do
            {
                last = Stored(kept, Result(kept.Count, random.NextDouble()));
                kept.Add(last);
                // A file in the middle goes too.
                if (kept.Count > 100)
                    kept.RemoveRange(random.NextInt(40), 2);
            } while (last.Trends.Single().Number < 250);
            if (last.Trends.Single().Changes.Count > 0)
                wrong++;
        }
        // 99.9 % of a binomial law with the stated rate are 9 or less: qbinom(.999, 60, .05).
        Assert.That(wrong, Is.AtMost(9), $"seed {seed}");
    }

    [Test]
    public void What_a_look_found_stays_when_only_the_newest_file_is_left()
    {
        var all = Series(24, .7);
        var found = all[^1].Trends.Single().Changes.Single();
        var next = CompareHistory.Trends([all[^1]], Result(24, .71)).Single();
        Assert.That(next.Number, Is.EqualTo(25));
        var still = next.Changes.Single();
        Assert.That(
            (still.Number, still.Since, still.Before, still.ResultsBefore),
            Is.EqualTo((21, found.Since, found.Before, found.ResultsBefore))
        );
        Assert.That((still.After, still.ResultsAfter), Is.EqualTo((.705, 2)).Within(1e-9), "of the results left");
    }

    [Test]
    public void Comparisons_that_end_at_once_have_different_numbers()
    {
        Parallel.For(0, 8, day => CompareHistory.Add(Folder, Result(day, .8)));
        Assert.That(Numbers(CompareHistory.Read(Folder)), Is.EquivalentTo(Enumerable.Range(1, 8)));
        Assert.That(Directory.GetFiles(Folder), Has.Length.EqualTo(8), "nothing else is left there");
    }

    // Two copies that went on apart, and came together again: which one goes on does not depend on what it found.
    [TestCase(2, 1, 2)]
    [TestCase(1, 2, 3)]
    [TestCase(1, 1, 2)]
    public void Of_equal_numbers_the_longer_copy_goes_on_and_of_equal_copies_the_first_made(
        int ofFirst,
        int ofSecond,
        int changesBefore
    )
    {
        var shared = Series(23, .86);
        var first = Copy(30, ofFirst, 2);
        var second = Copy(40, ofSecond, 3);
        CompareDocument[] together = [.. shared, .. first, .. second];
        var trend = CompareHistory.Trends(together, Result(50, .86)).Single();
        Assert.That((trend.Number, trend.Changes.Count), Is.EqualTo((24 + Math.Max(ofFirst, ofSecond), changesBefore)));
        Assert.That(trend.Results, Has.Count.EqualTo(together.Length + 1), "no result is lost");

        // With changes of its own, as if it had found them.
        IEnumerable<CompareDocument> Copy(int day, int results, int changes)
        {
            for (var number = 24; number < 24 + results; number++)
            {
                var stored = Stored([.. shared], Result(day + number, .86));
                var known = new CompareTrend.Change(s_first, .8, 1, .86, 1, []) { Number = 3 };
                yield return stored with
                {
                    Trends =
                    [
                        stored.Trends.Single() with
                        {
                            Number = number,
                            Changes = [.. Enumerable.Repeat(known, changes)],
                        },
                    ],
                };
            }
        }
    }

    [Test]
    public void Results_without_a_number_count_before_all_others_and_that_is_said_once()
    {
        for (var day = 0; day < 3; day++)
            using (var file = File.Create(In($"comparison-{day}.json")))
                CompareFile.Write(file, Result(day, .8));
        var added = CompareHistory.Add(Folder, Result(3, .8));
        Assert.That((added.Unnumbered, added.Trends.Single().Number), Is.EqualTo((3, 4)));
        Assert.That(
            CompareTrendText.Unnumbered(added.Unnumbered),
            Does.StartWith("3 earlier results without a number").And.Contain("count as the first 3")
        );
        added = CompareHistory.Add(Folder, Result(4, .8));
        Assert.That(
            (added.Unnumbered, added.Trends.Single().Number, added.Trends.Single().Results.Count),
            Is.EqualTo((0, 5, 5))
        );
    }

    [Test]
    public void A_comparison_without_a_result_of_a_series_takes_no_number_and_keeps_its_changes()
    {
        var all = Series(24, .7);
        var without = Stored(all, Result(24, null));
        Assert.That(without.Trends.Single().Number, Is.EqualTo(24));
        var next = CompareHistory.Trends([without], Result(25, .7)).Single();
        Assert.That((next.Number, next.Changes.Single().Number), Is.EqualTo((25, 21)));
    }

    // The order of the numbers is that of the series, whatever the clocks say.
    [Test]
    public void The_clock_does_not_order_results_that_have_numbers()
    {
        var all = Series(24, .7, direction: -1);
        all.Reverse();
        var trend = CompareHistory.Trends(all, Result(-24, .7)).Single();
        Assert.That(trend.Results.Select(result => result.Made), Is.Ordered.Descending);
        Assert.That(trend.Changes.Single().Number, Is.EqualTo(21));
    }

    [Test]
    public void The_manual_has_the_sentence_that_is_printed() =>
        Assert.That(
            File.ReadAllText(RepositoryFiles.At("docs/manual/compare.md")).ReplaceLineEndings(" "),
            Does.Contain(CompareTrendText.Method)
        );

    private static IEnumerable<int> Numbers(IEnumerable<CompareDocument> results) =>
        results.Select(result => result.Trends.Single().Number);

    // Twenty results about .86, and then others; each is stored with what it found.
    private static List<CompareDocument> Series(int results, double last, int direction = 1)
    {
        List<CompareDocument> all = [];
        for (var day = 0; day < results; day++)
            all.Add(Stored(all, Result(direction * day, day < 20 ? .85 + .01 * (day % 3) : last)));
        return all;
    }

    // As a file of the history holds it.
    private static CompareDocument Stored(IReadOnlyList<CompareDocument> earlier, CompareDocument result) =>
        CompareHistory.Stored(result, CompareHistory.Trends(earlier, result));

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
