using System.Globalization;
using System.Text.RegularExpressions;

namespace MqttCheck.AcceptanceTests.Workers;

/// <summary>
/// Workers as processes of their own, which find each other in Redis. What a command prints and writes is the same to
/// the byte as without them.
/// </summary>
[Platform("Linux")]
public sealed class WorkerProcessTests
{
    private static readonly string s_model = Repository.File("models/embedded-example.json");

    private static readonly string[] s_predict =
    [
        "predict",
        "-m",
        s_model,
        "-p",
        "up1",
        "-n",
        "20,50",
        "--out",
        "p.json",
    ];

    private static readonly string[][] s_commands =
    [
        s_predict,
        ["estimate", "P[ G<=10msg latency < 20ms ]", "-m", s_model, "-p", "up1,up2", "-n", "30"],
        ["largest-fleet", "P>=0.8[ G<=10msg latency < 25ms ]", "-m", s_model, "-p", "up1", "--to", "300"],
        ["split", "--law", "lognormal:1ms,0.5", "--threshold", "12ms", "--effort", "200"],
    ];

    private readonly List<ToolProcess> _workers = [];
    private RedisServer _redis = null!;
    private WorkDirectory _directory = null!;

    [SetUp]
    public async Task Start()
    {
        _directory = new();
        _redis = await RedisServer.StartAsync();
    }

    [TearDown]
    public void End()
    {
        foreach (var worker in _workers)
            worker.Dispose();
        _workers.Clear();
        _redis?.Dispose();
        _directory.Dispose();
    }

    [Test]
    public async Task Every_command_gives_the_same_bytes_with_any_number_of_workers()
    {
        var expected = new List<(ToolResult Result, string File)>();
        foreach (var command in s_commands)
            expected.Add(await RunAsync(command));
        for (var workers = 1; workers <= 3; workers++)
        {
            await StartWorkerAsync();
            // All commands with the most workers; the others differ in nothing but their number.
            foreach (var (command, local) in s_commands.Zip(expected).Take(workers == 3 ? s_commands.Length : 1))
            {
                var (result, file) = await RunAsync([.. command, "--workers", _redis.Address]);
                Assert.That(result.Output, Is.EqualTo(local.Result.Output), result.ToString);
                Assert.That(result.ExitCode, Is.EqualTo(local.Result.ExitCode), result.ToString);
                Assert.That(file, Is.EqualTo(local.File));
                Assert.That(result.Error, Does.Match(@"\d+ replications on workers, 0 shards given out again"));
            }
        }
        var list = await ToolProcess.RunAsync(_directory.Path, "workers", "--join", _redis.Address);
        Assert.That(list.ExitCode, Is.Zero, list.ToString);
        Assert.That(Regex.Count(list.Output, @"127\.0\.0\.1:\d+ +\S+ +\d+ +\S+ +1 "), Is.EqualTo(3), list.ToString);
    }

    [Test]
    public async Task A_worker_killed_one_that_joins_and_one_that_freezes_change_nothing()
    {
        string[] command = [.. s_predict, "--replications", "12000"];
        var (_, expected) = await RunAsync(command);
        await StartWorkerAsync();
        await StartWorkerAsync();
        using var tool = ToolProcess.Start(_directory.Path, [.. command, "--workers", _redis.Address]);
        await tool.WaitForAsync(@"[1-9]\d* replications, 2 workers");
        _workers[0].Signal("KILL");
        var third = await StartWorkerAsync();
        await tool.WaitForAsync(@", 2 workers, 2 slots, \d+ shards? repeated");
        third.Signal("STOP");
        // The other worker takes it for dead, and does its shards.
        await tool.WaitForAsync(@", 1 worker, 1 slot, [2-9]\d* shards repeated");
        third.Signal("CONT");
        var result = await tool.WaitAsync();

        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        Assert.That(Prediction(), Is.EqualTo(expected));
        var ended = await third.WaitAsync();
        Assert.That(ended.ExitCode, Is.Not.Zero, ended.ToString);
    }

    [Test]
    public async Task Interrupted_a_command_ends_its_shards_and_the_workers_go_on()
    {
        await StartWorkerAsync();
        using var tool = ToolProcess.Start(
            _directory.Path,
            [.. s_predict, "--replications", "1000000", "--workers", _redis.Address]
        );
        await tool.WaitForAsync(@"[1-9]\d* replications, 1 worker");
        tool.Signal("INT");
        var result = await tool.WaitAsync();
        Assert.That(result.ExitCode, Is.EqualTo(130), result.ToString);
        Assert.That(result.Error, Does.Contain("interrupted").And.Not.Contain("   at "), result.ToString);
        for (var i = 0; ; i++)
        {
            var list = await ToolProcess.RunAsync(_directory.Path, "workers", "--join", _redis.Address);
            if (Regex.IsMatch(list.Output, @" 1 +0 +[\d.]+ +"))
                break;
            Assert.That(i, Is.LessThan(10), list.ToString);
        }
        _workers[0].Signal("TERM");
        var worker = await _workers[0].WaitAsync();
        Assert.That(worker.ExitCode, Is.Zero, worker.ToString);
    }

    // Twenty kills at random times of random workers; each is replaced. Seed 5 says which.
    [Test]
    public async Task Through_twenty_kills_every_replication_counts_once()
    {
        const int workers = 3;
        string[] command = [.. s_predict[..^4], "-n", "50", "--out", "p.json", "--replications", "60000"];
        for (var i = 0; i < workers; i++)
            await StartWorkerAsync();
        using var tool = ToolProcess.Start(_directory.Path, [.. command, "--workers", _redis.Address]);
        await tool.WaitForAsync(@"[1-9]\d* replications, \d worker");
        var random = new Random(5);
        for (var kill = 0; kill < 20; kill++)
        {
            var at = random.Next(workers);
            var killed = _workers[at];
            killed.Signal("KILL");
            await killed.WaitAsync();
            killed.Dispose();
            _workers.RemoveAt(at);
            await StartWorkerAsync();
        }
        var result = await tool.WaitAsync();
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        // A pilot of 2000 sequences is simulated besides: 40 replications of 50 clients.
        Assert.That(result.Error, Does.Match(@"\b60040 replications on workers, \d+ shards given out again"));
        Assert.That(Prediction(), Does.Contain("\"replications\": 60000").And.Contain("\"sequences\": 3000000"));
    }

    [Test]
    public async Task Without_workers_nothing_of_orleans_is_loaded()
    {
        Assert.That(await LoadedAsync(s_predict), Has.None.Contains("Orleans").And.None.Contains("MqttCheck.Workers"));
        await StartWorkerAsync();
        Assert.That(
            await LoadedAsync([.. s_predict, "--workers", _redis.Address]),
            Has.Some.Contains("Orleans").And.Some.Contains("MqttCheck.Workers")
        );
    }

    [Test]
    public async Task Where_nobody_serves_one_message_says_so()
    {
        var nobody = string.Create(CultureInfo.InvariantCulture, $"redis://127.0.0.1:{RedisServer.FreePort()}");
        foreach (var address in (string[])[_redis.Address, nobody])
        {
            var (result, _) = await RunAsync([.. s_predict, "--workers", address]);
            Assert.That(result.ExitCode, Is.EqualTo(3), result.ToString);
            Assert.That(Regex.Count(result.Error, "error: "), Is.EqualTo(1), result.ToString);
            Assert.That(result.Error, Does.Contain(address == nobody ? "does not serve" : "no worker has joined"));
        }
        var (wrong, _) = await RunAsync([.. s_predict, "--workers", "nowhere"]);
        Assert.That(wrong.ExitCode, Is.EqualTo(2), wrong.ToString);
        var worker = await ToolProcess.RunAsync(
            _directory.Path,
            "worker",
            "--join",
            _redis.Address,
            "--listen",
            "192.0.2.1"
        );
        Assert.That(worker.ExitCode, Is.EqualTo(2), worker.ToString);
        Assert.That(worker.Error, Does.Contain("--certificate FILE and a shared key in MQTTCHECK_WORKER_KEY"));
    }

    // The files that the tool has mapped once it has computed for some seconds.
    private async Task<string[]> LoadedAsync(string[] command)
    {
        using var tool = ToolProcess.Start(_directory.Path, [.. command, "--replications", "1000000"]);
        var maps = $"/proc/{tool.Id.ToString(CultureInfo.InvariantCulture)}/maps";
        string[] loaded;
        do
        {
            await Task.Delay(20);
            loaded =
            [
                .. File.ReadAllLines(maps)
                    .Where(line => line.EndsWith(".dll", StringComparison.Ordinal))
                    .Select(line => Path.GetFileName(line[line.IndexOf('/', StringComparison.Ordinal)..])),
            ];
        } while (!loaded.Contains("System.Threading.dll") && !loaded.Any(file => file.Contains("Orleans.Core")));
        return loaded;
    }

    private async Task<(ToolResult Result, string File)> RunAsync(string[] command)
    {
        var result = await ToolProcess.RunAsync(_directory.Path, command);
        return (result, command[0] == "predict" && result.ExitCode == 0 ? Prediction() : "");
    }

    private string Prediction() => File.ReadAllText(_directory.File("p.json"));

    private async Task<ToolProcess> StartWorkerAsync()
    {
        var worker = ToolProcess.Start(_directory.Path, "worker", "--join", _redis.Address, "--slots", "1");
        _workers.Add(worker);
        await worker.WaitForAsync("1 slot, joined redis://");
        return worker;
    }
}
