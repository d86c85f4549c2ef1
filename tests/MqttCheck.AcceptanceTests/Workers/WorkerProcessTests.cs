using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using MqttCheck.Workers.Tests;

namespace MqttCheck.AcceptanceTests.Workers;

/// <summary>
/// Workers as processes of their own, which find each other in Redis. What a command prints and writes is the same to
/// the byte as without them.
/// </summary>
[Platform("Linux")]
[Parallelizable]
public sealed class WorkerProcessTests : WorkerFixture
{
    private static readonly string[] s_predict =
    [
        "predict",
        "-m",
        RepositoryFiles.Model,
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
        ["estimate", "P[ G<=10msg latency < 20ms ]", "-m", RepositoryFiles.Model, "-p", "up1,up2", "-n", "30"],
        ["largest-fleet", "P>=0.8[ G<=10msg latency < 25ms ]", "-m", RepositoryFiles.Model, "-p", "up1", "--to", "300"],
        [
            "cluster",
            "predict",
            "mesh:4",
            "-p",
            "Q0.9[ delivery ]",
            "--fault",
            "kill any at U(1s,3s) for 2s",
            "--for",
            "5s",
            "--replications",
            "300",
            "-p",
            "P>=0.5[ repair < 5s ]",
        ],
        ["split", "--law", "lognormal:1ms,0.5", "--threshold", "12ms", "--effort", "200"],
    ];

    [Test]
    public async Task Every_command_gives_the_same_bytes_with_any_number_ofWorkers()
    {
        var expected = new List<(ToolResult Result, string File)>();
        foreach (var command in s_commands)
            expected.Add(await RunAsync(command));
        for (var workers = 1; workers <= 2; workers++)
        {
            await StartWorkersAsync(1);
            // All commands with the most workers; the others differ in nothing but their number.
            foreach (var (command, local) in s_commands.Zip(expected).Take(workers == 2 ? s_commands.Length : 1))
            {
                var (result, file) = await RunAsync([.. command, "--workers", Redis.Address]);
                Assert.That(result.Output, Is.EqualTo(local.Result.Output), result.ToString);
                Assert.That(result.ExitCode, Is.EqualTo(local.Result.ExitCode), result.ToString);
                Assert.That(file, Is.EqualTo(local.File));
                Assert.That(result.Error, Does.Match(@"\d+ replications on workers, 0 shards given out again"));
            }
        }
        var list = await ToolProcess.SucceedAsync(Folder.Path, "workers", "--join", Redis.Address);
        Assert.That(Regex.Count(list.Output, @"127\.0\.0\.1:\d+ +\S+ +\d+ +\S+ +1 "), Is.EqualTo(2), list.ToString);
    }

    [Test]
    public async Task A_worker_killed_in_the_middle_and_one_that_joins_change_nothing()
    {
        string[] command = [.. s_predict, "--replications", "18000"];
        var (_, expected) = await RunAsync(command);
        await StartWorkersAsync(2);
        using var tool = ToolProcess.Start(Folder.Path, [.. command, "--workers", Redis.Address]);
        await tool.WaitForAsync("2 workers, 2 slots");
        Workers[0].Signal("KILL");
        await StartWorkersAsync(1);
        var result = await tool.WaitAsync();
        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        Assert.That(Prediction(), Is.EqualTo(expected));
        Assert.That(result.Error, Does.Match(@"\d+ replications on workers, [1-9]\d* shards? given out again"));
    }

    [Test]
    public async Task Interrupted_a_command_ends_its_shards_and_theWorkers_go_on()
    {
        await StartWorkersAsync(1);
        using var tool = ToolProcess.Start(
            Folder.Path,
            [.. s_predict, "--replications", "1000000", "--workers", Redis.Address]
        );
        await tool.WaitForAsync(@"[1-9]\d* replications, 1 worker");
        var result = await tool.EndAsync("INT");
        Assert.That(result.ExitCode, Is.EqualTo(130), result.ToString);
        Assert.That(result.Error, Does.Contain("interrupted").And.Not.Contain("   at "), result.ToString);
        for (var i = 0; ; i++)
        {
            var list = await ToolProcess.RunAsync(Folder.Path, "workers", "--join", Redis.Address);
            if (Regex.IsMatch(list.Output, @" 1 +0 +[\d.]+ +"))
                break;
            Assert.That(i, Is.LessThan(10), list.ToString);
        }
        Workers[0].Signal("TERM");
        var worker = await Workers[0].WaitAsync();
        Assert.That(worker.ExitCode, Is.Zero, worker.ToString);
    }

    // The payload is seen without TLS, so looking for it can fail. The key is proved in both cases.
    [TestCase(false)]
    [TestCase(true)]
    public async Task A_capture_on_loopback_shows_no_payload_betweenWorkers_with_tls(bool isProtected)
    {
        var port = RedisServer.FreePort();
        var certificate = await MakeCertificateAsync();
        string[] tls = isProtected ? ["--certificate", certificate] : [];
        var address = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{port}");
        var worker = ToolProcess.Start(Folder.Path, Key, ["worker", "--join", address, "--slots", "1", .. tls]);
        Add(worker);
        await worker.WaitForAsync("1 slot, joined");
        var file = Folder.File("capture.pcapng");
        using (var capture = await Capture.StartAsync(file, port + 1))
        {
            await ToolProcess.SucceedAsync(
                Folder.Path,
                Key,
                [.. s_predict, "--replications", "50", "--workers", address, .. tls]
            );
            await capture.EndAsync();
        }
        var bytes = await File.ReadAllBytesAsync(file);
        Assert.That(bytes, Has.Length.GreaterThan(10_000));
        Assert.That(bytes.AsSpan().IndexOf("maximumEvents"u8) >= 0, Is.EqualTo(!isProtected), "the setup of the job");
        Assert.That(bytes.AsSpan().IndexOf("heldDeliveries"u8) >= 0 && isProtected, Is.False, "the model");
        Assert.That(bytes.AsSpan().IndexOf("a key of more"u8), Is.EqualTo(-1), "the key never travels");
    }

    [Test]
    public async Task WithoutWorkers_nothing_of_orleans_is_loaded()
    {
        Assert.That(await LoadedAsync(s_predict), Has.None.Contains("Orleans").And.None.Contains("MqttCheck.Workers"));
        await StartWorkersAsync(1);
        Assert.That(
            await LoadedAsync([.. s_predict, "--workers", Redis.Address]),
            Has.Some.Contains("Orleans").And.Some.Contains("MqttCheck.Workers")
        );
    }

    [Test]
    public async Task Where_nobody_serves_one_message_says_so()
    {
        var nobody = string.Create(CultureInfo.InvariantCulture, $"redis://127.0.0.1:{RedisServer.FreePort()}");
        (string[] Command, string Address)[] alone = [(s_predict, Redis.Address), (["bench"], nobody)];
        foreach (var (command, address) in alone)
        {
            var (result, _) = await RunAsync([.. command, "--workers", address]);
            Assert.That(result.ExitCode, Is.EqualTo(3), result.ToString);
            Assert.That(Regex.Count(result.Error, "error: "), Is.EqualTo(1), result.ToString);
            Assert.That(result.Error, Does.Contain(address == nobody ? "does not serve" : "no worker has joined"));
        }
        var worker = await ToolProcess.RunAsync(
            Folder.Path,
            "worker",
            "--join",
            Redis.Address,
            "--listen",
            "192.0.2.1"
        );
        Assert.That(worker.ExitCode, Is.EqualTo(2), worker.ToString);
        Assert.That(worker.Error, Does.Contain("--certificate FILE and a shared key in MQTTCHECK_WORKER_KEY"));
    }

    // The files that the tool has mapped once it has computed for three seconds, or sooner once Orleans is there.
    private async Task<string[]> LoadedAsync(string[] command)
    {
        using var tool = ToolProcess.Start(Folder.Path, [.. command, "--replications", "1000000"]);
        using var process = Process.GetProcessById(tool.Id);
        var maps = $"/proc/{tool.Id.ToString(CultureInfo.InvariantCulture)}/maps";
        string[] loaded;
        bool isLongAtWork;
        do
        {
            await Task.Delay(20);
            process.Refresh();
            isLongAtWork = process.TotalProcessorTime > TimeSpan.FromSeconds(3);
            loaded =
            [
                .. File.ReadAllLines(maps)
                    .Where(line => line.EndsWith(".dll", StringComparison.Ordinal))
                    .Select(line => Path.GetFileName(line[line.IndexOf('/', StringComparison.Ordinal)..])),
            ];
        } while (!isLongAtWork && !loaded.Any(file => file.StartsWith("Orleans", StringComparison.Ordinal)));
        Assert.That(loaded, Has.Some.EqualTo("MqttCheck.dll"), "the tool is at work");
        return loaded;
    }

    private async Task<(ToolResult Result, string File)> RunAsync(string[] command)
    {
        var result = await ToolProcess.RunAsync(Folder.Path, command);
        return (result, command[0] == "predict" && result.ExitCode == 0 ? Prediction() : "");
    }

    private string Prediction() => File.ReadAllText(Folder.File("p.json"));
}
