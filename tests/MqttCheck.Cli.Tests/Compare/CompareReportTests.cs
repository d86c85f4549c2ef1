using System.Text.Json;
using MqttCheck.App.Compare;
using MqttCheck.Cli.Compare;
using MqttCheck.Comparison;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Compare;

[TestFixture]
internal sealed class CompareReportTests : DirectoryFixture
{
    [TestCase(
        new[] { TwoSampleVerdict.NoDifference, TwoSampleVerdict.NoDifference },
        ExitCode.Success,
        "No difference"
    )]
    [TestCase(
        new[] { TwoSampleVerdict.Withheld, TwoSampleVerdict.SecondFaster },
        ExitCode.Refuted,
        "b <1> is faster than a"
    )]
    [TestCase(new[] { TwoSampleVerdict.NoDifference, TwoSampleVerdict.Withheld }, ExitCode.Withheld, "Withheld")]
    [TestCase(new TwoSampleVerdict[0], ExitCode.Withheld, "Withheld")]
    public void The_exit_code_and_the_headline_follow_from_the_verdicts(
        TwoSampleVerdict[] verdicts,
        int exitCode,
        string headline
    )
    {
        var comparison = Comparison(verdicts);
        Assert.That((comparison.ExitCode, CompareReport.Headline(comparison)), Is.EqualTo((exitCode, headline)));
        Assert.That((comparison with { Interrupted = true }).ExitCode, Is.EqualTo(ExitCode.Interrupted));
    }

    [Test]
    public void Page_Markdown_and_JSON_say_the_same_and_no_name_becomes_markup()
    {
        var page = File.ReadAllText(
            CompareReport.Write(
                Folder,
                CompareReport.Output(Comparison([TwoSampleVerdict.SecondFaster, TwoSampleVerdict.Withheld]))
            )
        );
        Assert.That(
            page,
            Does.Contain("b &lt;1&gt; is faster than a")
                .And.Contain("2.0 %")
                .And.Contain("mqttcheck compare")
                .And.Not.Contain("b <1>")
                .And.Not.Contain("NaN")
                .And.Not.Contain("<script")
        );
        var markdown = File.ReadAllText(In("comparison.md"));
        Assert.That(
            markdown,
            Does.Contain("**b &lt;1\\> is faster than a.**").And.Contain("| up1, 100 clients, 20 ms | a | 0.700 |")
        );
        using var json = JsonDocument.Parse(File.ReadAllText(In("comparison.json")));
        Assert.That(
            json.RootElement.GetProperty("points")[0].GetProperty("verdict").GetString(),
            Is.EqualTo("secondFaster")
        );
        Assert.That(Directory.GetFiles(Folder), Has.Length.EqualTo(3));
    }

    [Test]
    public void The_screen_shows_the_table_and_then_why()
    {
        var screen = new TestScreen();
        CompareReport.Print(screen.Screen, Comparison([TwoSampleVerdict.SecondFaster]));
        Assert.That(
            screen.Output,
            Does.Contain("-0.100").And.Contain("b <1> is faster: up1, 100 clients, 20 ms: because")
        );
    }

    internal static CompareDocument Comparison(TwoSampleVerdict[] verdicts) =>
        new()
        {
            ToolVersion = "0.1.0",
            Generated = DateTimeOffset.UnixEpoch,
            Seed = 1,
            Repeat = "mqttcheck compare --brokers a,b --seed 1",
            Machine = "machine",
            Error = .01,
            Indifference = .1,
            SequenceLength = 10,
            Brokers =
            [
                new("a", "broker a", 1000, .02, .011),
                new("b <1>", "broker b", null, null, null)
                {
                    Predictions = [new("up1", 100, 20, .8, new(.79, .81), null, VerdictKind.Withheld)],
                },
            ],
            Points =
            [
                .. verdicts.Select(verdict => new CompareDocument.Point(
                    "up1",
                    100,
                    20,
                    "a",
                    "b <1>",
                    .7,
                    .8,
                    -.1,
                    new(-.12, -.08),
                    8,
                    8,
                    4800,
                    verdict,
                    "because"
                )),
            ],
        };
}
