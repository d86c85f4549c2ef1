using System.Diagnostics;
using System.Text.RegularExpressions;

namespace MqttCheck.NUnit.Tests;

/// <summary>
/// The samples of other frameworks, which run on Microsoft.Testing.Platform: each is a program that runs its tests, on
/// a broker that meets its requirement and on one that does not.
/// </summary>
[TestFixture, NonParallelizable]
[Category("Whole"), Category("AloneOnTheMachine")]
internal sealed class FrameworkSampleTests : DirectoryFixture
{
    private const int TestsFailed = 2;

    [Test]
    public async Task A_sample_passes_on_a_fast_broker_and_adds_its_result_to_the_job_summary()
    {
        var (code, output) = await RunAsync("NUnit5Requirements", delay: null);
        Assert.That(code, Is.Zero, output);
        Assert.That(
            await File.ReadAllTextAsync(In("summary.md")),
            Does.StartWith("<details><summary>Met: ").And.Contain("Publish_is_acknowledged_in_time</summary>")
        );
        Assert.That((Listed(output, ".html"), Listed(output, ".png")), Is.EqualTo((1, 0)), output);
    }

    [TestCase("NUnit5Requirements")]
    [TestCase("Xunit3Requirements")]
    [TestCase("MSTestSdkRequirements")]
    [TestCase("TUnitRequirements")]
    public async Task A_sample_fails_on_a_slow_one_and_the_runner_shows_message_report_and_picture(string sample)
    {
        var (code, output) = await RunAsync(sample, delay: "constant:80ms");
        Assert.That(code, Is.EqualTo(TestsFailed), output);
        Assert.That(output, Does.Contain("But was:  a probability of 0.0").And.Contain("delay constant:80ms"));
        Assert.That((Listed(output, ".html"), Listed(output, ".png")), Is.EqualTo((1, 1)), output);
        Assert.That(
            await File.ReadAllTextAsync(In("summary.md")),
            Does.StartWith("<details open><summary>Violated: ").And.Contain("| all runs |")
        );
    }

    // The files that the runner shows for the test.
    private static int Listed(string output, string ending) =>
        Regex.Count(output, $@"(?m)^\s+- For test '[^']*': \S+{Regex.Escape(ending)}\s*$");

    private async Task<(int Code, string Output)> RunAsync(string sample, string? delay)
    {
        var start = new ProcessStartInfo("dotnet", [Program(sample), "--results-directory", In("results")])
        {
            WorkingDirectory = Folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["MQTTCHECK_DELAY"] = delay;
        start.Environment["GITHUB_STEP_SUMMARY"] = In("summary.md");
        using var process = Process.Start(start)!;
        var texts = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        var output = string.Concat(texts);
        Assume.That(
            output,
            Does.Not.Contain("the load generator was overloaded or late"),
            "a machine that is busy otherwise measures nothing"
        );
        return (process.ExitCode, output);
    }

    // Built beside this test, in the same configuration.
    private static string Program(string sample)
    {
        var here = new DirectoryInfo(AppContext.BaseDirectory);
        return RepositoryFiles.At($"samples/frameworks/{sample}/bin/{here.Parent!.Name}/{here.Name}/{sample}.dll");
    }
}
