using System.Diagnostics;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Predictions;

namespace MqttCheck.Cli.Tests.Options;

/// <summary>The option --plots, on the results and the log in samples/.</summary>
public sealed class PlotsTests : DirectoryFixture
{
    [Test]
    public async Task A_report_draws_every_chart_as_PNG_and_SVG()
    {
        var screen = await TestTool.SucceedAsync(
            "report",
            "--prediction",
            TestTool.Sample("results/embedded.prediction.json"),
            "--verdicts",
            TestTool.Sample("results/embedded.verdicts.json"),
            "--out",
            In("page.html"),
            "--plots",
            In("plots")
        );
        var names = Directory
            .EnumerateFiles(In("plots"), "*.png")
            .Select(Path.GetFileNameWithoutExtension)
            .Order(StringComparer.Ordinal)
            .ToArray();
        Assert.That(
            names,
            Does.Contain("comparison")
                .And.Contain("probability-up1")
                .And.Contain("worst")
                .And.Contain("evidence-up1-200-clients-14-ms")
        );
        Assert.That(
            Directory.EnumerateFiles(In("plots"), "*.svg").Select(Path.GetFileNameWithoutExtension),
            Is.EquivalentTo(names)
        );
        Assert.That(
            Directory.EnumerateFiles(In("plots")).Select(Path.GetExtension).Distinct(),
            Is.EquivalentTo(new[] { ".png", ".svg" }),
            "nothing else is left"
        );
        Assert.That(screen.Error, Does.Contain("plots: ").And.Contain("comparison, probability-up1"));
    }

    [Test]
    public async Task A_report_in_Markdown_shows_its_pictures_by_relative_links_with_their_captions()
    {
        var screen = await TestTool.SucceedAsync(
            "report",
            "--prediction",
            TestTool.Sample("results/embedded.prediction.json"),
            "--verdicts",
            TestTool.Sample("results/embedded.verdicts.json"),
            "--out",
            In("a b/page.md")
        );
        var text = File.ReadAllText(In("a b/page.md"));
        Assert.That(
            text,
            Does.Contain(
                "![Probability that all messages of a sequence are in time. Wide pale bar: what counts as predicted."
            )
        );
        var links = System
            .Text.RegularExpressions.Regex.Matches(text, @"!\[[^\]]*\]\(([^ )]+) ""[^""]+""\)")
            .Select(match => match.Groups[1].Value)
            .ToArray();
        Assert.That(links, Has.Length.GreaterThan(3).And.All.StartsWith("page-plots/"));
        foreach (var link in links)
            Assert.That(File.Exists(Path.Combine(In("a b"), Uri.UnescapeDataString(link))), link);
    }

    [Test]
    public async Task No_picture_is_drawn_beside_Markdown_where_none_are_wanted()
    {
        await TestTool.SucceedAsync(
            "report",
            "--prediction",
            TestTool.Sample("results/embedded.prediction.json"),
            "--out",
            In("page.md"),
            "--plots",
            "none"
        );
        Assert.That(
            Directory.EnumerateFileSystemEntries(Folder).Select(Path.GetFileName),
            Is.EqualTo(new[] { "page.md" })
        );
        Assert.That(File.ReadAllText(In("page.md")), Does.Not.Contain("!["));
    }

    [Test]
    public async Task Annotations_name_the_pictures_as_files_to_upload()
    {
        var screen = await TestTool.SucceedAsync(
            "report",
            "--prediction",
            TestTool.Sample("results/embedded.prediction.json"),
            "--verdicts",
            TestTool.Sample("results/embedded.verdicts.json"),
            "--format",
            "github",
            "--plots",
            In("plots")
        );
        Assert.That(
            screen.Output,
            Does.Match(
                @"::notice title=MqttCheck%3A Pictures::\d+ pictures in .*plots/, each as PNG and SVG: comparison, .* Upload the directory as an artifact"
            )
        );
    }

    [Test]
    public void A_job_summary_names_the_pictures_as_files_of_an_artifact()
    {
        var report = ReportStage.Output(
            new() { Prediction = PredictionFile.Read(TestTool.Sample("results/embedded.prediction.json")) },
            TimeProvider.System.GetUtcNow()
        );
        report.Draw(In("plots"));
        File.WriteAllText(In("summary.md"), "earlier\n");
        report.Summarise(In("summary.md"));
        report.Summarise(null);
        var text = File.ReadAllText(In("summary.md"));
        Assert.That(
            text,
            Does.StartWith("earlier\n")
                .And.Contain("Files of the artifact with `")
                .And.Contain("| `probability-up1.png` | Probability against number of clients, up1 |")
        );
        Assert.That(text, Does.Not.Contain("!["), "a summary cannot show files");
    }

    [Test]
    public async Task A_file_where_pictures_should_go_and_a_directory_that_cannot_be_made_are_wrong_input()
    {
        File.WriteAllText(In("file"), "");
        foreach (
            var (plots, words) in new[]
            {
                (In("file"), "is a file; allowed: a directory."),
                (In("file/below"), "nothing can be written to"),
                ("/proc/mqttcheck-plots", "is no place for files"),
            }
        )
        {
            foreach (
                var command in new string[][]
                {
                    [
                        "report",
                        "--prediction",
                        TestTool.Sample("results/embedded.prediction.json"),
                        "--out",
                        In("page.html"),
                    ],
                    ["audit"],
                    ["bench", "--for", "1s"],
                    ["compare", "--brokers", "embedded,embedded"],
                    ["calibrate"],
                }
            )
            {
                var (code, screen) = await TestTool.RunAsync([.. command, "--plots", plots]);
                Assert.That(code, Is.EqualTo(2), string.Join(' ', command));
                Assert.That(screen.Error, Does.Contain("--plots: ").And.Contain(words).And.Contain(plots));
            }
        }
        Assert.That(
            Directory.EnumerateFileSystemEntries(Folder).Select(Path.GetFileName),
            Is.EqualTo(new[] { "file" }),
            "it is said before anything is done"
        );
    }

    [Test]
    [Category("Whole")]
    public async Task An_audit_draws_the_true_error_of_each_rule()
    {
        var (code, screen) = await TestTool.RunAsync(
            "audit",
            "--verdicts",
            "--verifications",
            "20",
            "--plots",
            In("plots")
        );
        Assert.That(code, Is.AnyOf(0, 1), screen.Error);
        Assert.That(File.ReadAllText(In("plots/audit.svg")), Does.Contain("Wrong verdicts beside the stated error"));
    }

    [Test]
    public async Task The_drawing_library_is_not_touched_unless_pictures_are_asked_for()
    {
        var tool = In("tool");
        Copy(AppContext.BaseDirectory, tool);
        // Whoever loads one of them fails.
        foreach (
            var name in (string[])
                ["ScottPlot.dll", "SkiaSharp.dll", "SkiaSharp.HarfBuzz.dll", "HarfBuzzSharp.dll", "MqttCheck.Plots.dll"]
        )
            File.WriteAllText(Path.Combine(tool, name), "no assembly");
        string[] report =
        [
            "report",
            "--prediction",
            TestTool.Sample("results/embedded.prediction.json"),
            "--verdicts",
            TestTool.Sample("results/embedded.verdicts.json"),
            "--out",
            In("page.html"),
        ];
        var without = await ProcessAsync(tool, report);
        Assert.That(without.Code, Is.Zero, without.Text);
        var with = await ProcessAsync(tool, [.. report, "--plots", In("plots")]);
        Assert.That(with.Code, Is.Not.Zero, "the test can fail: with pictures it is loaded");
        Assert.That(with.Text, Does.Contain("MqttCheck.Plots"));
    }

    private static async Task<(int Code, string Text)> ProcessAsync(string tool, string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var argument in (string[])["exec", Path.Combine(tool, "MqttCheck.Cli.dll"), .. arguments])
            start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        return (process.ExitCode, await output + await error);
    }

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (var file in Directory.EnumerateFiles(from).Where(file => Path.GetExtension(file) is ".dll" or ".json"))
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
    }
}
