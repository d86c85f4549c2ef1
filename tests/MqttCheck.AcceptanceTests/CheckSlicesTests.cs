using System.Text.Json;

namespace MqttCheck.AcceptanceTests;

/// <summary>
/// Half a minute of checking on each broker. Three run beside each other: a check is not timed, and what waits
/// longer under load is still judged by deadlines of seconds. Seven would leave a slow broker no time to start.
/// </summary>
[Category("Slices"), Category("AloneOnTheMachine")]
[Platform("Linux")]
public sealed class CheckSlicesTests
{
    private const string Duration = "30s";

    private static readonly string[] Foreign = ["mosquitto", "nats", "aedes"];

    // They start slowly, and their checks take minutes of a machine that other tests use.
    private static readonly string[] Slow = ["rabbitmq", "ejabberd", "mqttnet"];

    private readonly SemaphoreSlim _places = new(3);
    private readonly Dictionary<string, (WorkDirectory Directory, Task<ToolResult> Run)> _slices = [];

    [OneTimeSetUp]
    public void Start_all()
    {
        foreach (var broker in (string[])[.. Foreign, "embedded"])
            Start(broker);
    }

    private void Start(string broker)
    {
        var directory = new WorkDirectory();
        _slices.Add(broker, (directory, CheckAsync(directory, broker)));
    }

    private async Task<ToolResult> CheckAsync(WorkDirectory directory, string broker)
    {
        await _places.WaitAsync();
        try
        {
            return await ToolProcess.RunAsync(directory.Path, "check", "--broker", broker, "--for", Duration);
        }
        finally
        {
            _places.Release();
        }
    }

    [OneTimeTearDown]
    public async Task Delete_the_directories()
    {
        foreach (var (directory, run) in _slices.Values)
        {
            await run;
            directory.Dispose();
        }
        _places.Dispose();
    }

    [TestCaseSource(nameof(Slow))]
    [Explicit]
    public async Task Half_a_minute_finds_deviations_of_a_slow_broker_and_shrinks_them(string broker)
    {
        Start(broker);
        await Half_a_minute_finds_deviations_of_a_real_broker_and_shrinks_them(broker);
    }

    [TestCaseSource(nameof(Foreign))]
    public async Task Half_a_minute_finds_deviations_of_a_real_broker_and_shrinks_them(string broker)
    {
        var result = await _slices[broker].Run;
        if (result.ExitCode == 3 && result.Error.Contains("not installed", StringComparison.Ordinal))
            Missing.Report(result.Error);
        Assert.That(result.ExitCode, Is.EqualTo(1), result.ToString);
        var findings = Findings(broker);
        TestContext.Out.WriteLine(string.Join('\n', findings.Select(finding => finding.ToString())));
        Assert.That(
            findings.Where(finding => finding is { Class: "MUST", Commands: <= 6, IsFlaky: false }),
            Is.Not.Empty,
            result.ToString
        );
    }

    [Test]
    public async Task Half_a_minute_finds_nothing_in_the_embedded_broker()
    {
        var result = await _slices["embedded"].Run;
        // Three slices share the machine, and a process that stands still for seconds may show something once. What
        // was seen once and in no repetition is no finding: exit code 4.
        Assert.That(result.ExitCode, Is.Zero.Or.EqualTo(4), result.ToString);
        Assert.That(Findings("embedded"), Is.Empty, result.ToString);
    }

    private List<SliceFinding> Findings(string broker)
    {
        using var document = JsonDocument.Parse(File.ReadAllText(_slices[broker].Directory.File("findings.json")));
        return
        [
            .. document
                .RootElement.GetProperty("findings")
                .EnumerateArray()
                .Select(finding => new SliceFinding(
                    finding.GetProperty("statement").GetString()!,
                    finding.GetProperty("class").GetString()!,
                    finding.GetProperty("circumstances").GetString()!,
                    finding.GetProperty("scenario").GetArrayLength(),
                    finding.GetProperty("hits").GetInt32() < finding.GetProperty("replays").GetInt32()
                )),
        ];
    }

    private sealed record SliceFinding(
        string Statement,
        string Class,
        string Circumstances,
        int Commands,
        bool IsFlaky
    );
}
