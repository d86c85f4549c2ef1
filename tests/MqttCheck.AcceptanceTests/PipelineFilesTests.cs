using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests;

/// <summary>
/// The workflow files for GitHub and GitLab in samples/pipelines: their commands are run as they stand there.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed partial class PipelineFilesTests
{
    [TestCase("github.yml", "run: ")]
    [TestCase("gitlab-ci.yml", "- ", Explicit = true)]
    public async Task Commands_of_a_workflow_file_end_as_a_pipeline_needs_it(string file, string before)
    {
        var folder = RepositoryFiles.At("samples/pipelines");
        var lines = (await File.ReadAllLinesAsync(Path.Combine(folder, file)))
            .Select(line => line.Trim().Replace("- run: ", "run: ", StringComparison.Ordinal))
            .Where(line => line.StartsWith(before + "mqttcheck ", StringComparison.Ordinal))
            .Select(line => line[(before.Length + "mqttcheck ".Length)..])
            .ToList();
        Assert.That(lines, Has.Count.EqualTo(2), "the file asks two questions");

        using var directory = new WorkDirectory();
        File.Copy(Path.Combine(folder, "devices.json"), directory.File("devices.json"));
        var summary = directory.File("summary.md");
        await File.WriteAllTextAsync(summary, "");
        foreach (var line in lines)
        {
            var words = Word().Matches(line.Split(" > ")[0]).Select(word => word.Value.Replace("\"", "")).ToArray();
            var result = await ToolProcess.RunAsync(
                directory.Path,
                new Dictionary<string, string> { ["GITHUB_STEP_SUMMARY"] = summary },
                words
            );
            // A machine that is busy otherwise measures nothing, which is a withheld verdict.
            Assert.That(result.ExitCode, Is.Zero.Or.EqualTo(4), result.ToString);
            if (words[0] == "check")
            {
                Assert.That(result.ExitCode, Is.Zero, "the embedded broker follows the standard");
                if (line.Contains("junit", StringComparison.Ordinal))
                    Assert.That(result.Output, Does.StartWith("<?xml").And.Contain("<testsuites"));
                else
                    Assert.That(await File.ReadAllTextAsync(summary), Does.Contain("embedded"));
            }
        }
        Assert.That(
            File.Exists(directory.File("findings.json")) && File.Exists(directory.File("verdict.json")),
            Is.True
        );
    }

    [GeneratedRegex("(\"[^\"]*\"|[^ \"])+")]
    private static partial Regex Word();
}
