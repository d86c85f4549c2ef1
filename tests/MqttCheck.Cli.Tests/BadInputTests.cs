using System.Diagnostics;

namespace MqttCheck.Cli.Tests;

/// <summary>
/// Every line of docs/evidence/bad-input.md ends with its exit code and a message that names what it says, and leaves
/// nothing behind.
/// </summary>
[TestFixture]
[NonParallelizable]
internal sealed class BadInputTests
{
    private const int MostLines = 6;

    private string _directory = "";
    private string _before = "";
    private BadInputServers _servers = null!;

    [OneTimeSetUp]
    public async Task Make_files_and_servers()
    {
        _before = Directory.GetCurrentDirectory();
        _directory = Directory.CreateTempSubdirectory("mqttcheck-bad-input-").FullName;
        Directory.SetCurrentDirectory(_directory);
        await BadInputFiles.MakeAsync();
        _servers = new BadInputServers();
    }

    [OneTimeTearDown]
    public void Leave()
    {
        _servers.Dispose();
        Directory.SetCurrentDirectory(_before);
        Directory.Delete(_directory, recursive: true);
    }

    // Some wait until a broker or worker that is none has had its time to answer, one starts the program itself.
    private static IEnumerable<TestCaseData> Rows() =>
        BadInput.All.Select(
            (row, index) =>
            {
                var data = new TestCaseData(row).SetArgDisplayNames($"{index + 1}: {row.Command}");
                var isSlow =
                    row.Command.Contains("{silent}", StringComparison.Ordinal)
                    || row.Command.Contains("s://127.0.0.1:{plain}", StringComparison.Ordinal)
                    || row.Command.Contains(" 127.0.0.1:{closed}", StringComparison.Ordinal)
                    || row.Command.StartsWith(BadInput.Limited, StringComparison.Ordinal);
                return isSlow ? data.SetCategory("Whole") : data;
            }
        );

    [TestCaseSource(nameof(Rows))]
    public async Task Bad_input_is_one_message(BadInput row)
    {
        var files = Directory.GetFileSystemEntries(".");
        var (code, text) = row.Command.StartsWith(BadInput.Limited, StringComparison.Ordinal)
            ? await LimitedAsync(row.Command[BadInput.Limited.Length..])
            : await InProcessAsync(row);
        Assert.That(code, Is.EqualTo(row.Code), text);
        foreach (var needle in row.Needles)
            Assert.That(text, Does.Contain(BadInput.Filled(needle, _servers.Ports)));
        Assert.That(text.TrimEnd().Split('\n'), Has.Length.LessThanOrEqualTo(MostLines), text);
        Assert.That(text.Where(c => char.IsControl(c) && c != '\n'), Is.Empty);
        Assert.That(text, Does.Not.Contain("   at ").And.Not.Contain(".tmp"));
        Assert.That(Directory.GetFileSystemEntries("."), Is.EquivalentTo(files));
    }

    [Test]
    public void The_page_counts_its_lines_and_those_of_its_six_groups()
    {
        var lines = File.ReadAllLines(BadInput.Page);
        var titles = lines.Where(line => line.StartsWith("## ", StringComparison.Ordinal)).Select(line => line[3..]);
        Assert.That(
            titles,
            Is.EqualTo(BadInput.All.CountBy(row => row.Group).Select(group => $"{group.Key}: {group.Value}"))
        );
        Assert.That(lines[2], Does.StartWith($"Here are {BadInput.All.Count} wrong command lines"));
    }

    private async Task<(int Code, string Text)> InProcessAsync(BadInput row)
    {
        var (code, screen) = await TestTool.RunAsync(row.Words(_servers.Ports));
        return (code, screen.Error + screen.Output);
    }

    private static async Task<(int Code, string Text)> LimitedAsync(string command)
    {
        if (!OperatingSystem.IsLinux())
            Assert.Ignore("Only Linux tells of its limits.");
        var start = new ProcessStartInfo("sh") { RedirectStandardError = true, RedirectStandardOutput = true };
        start.ArgumentList.Add("-c");
        start.ArgumentList.Add($"ulimit -n 64 && exec dotnet '{typeof(ToolCommands).Assembly.Location}' {command}");
        using var process = Process.Start(start)!;
        var error = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, error);
    }
}
