using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using MqttCheck.Workers.Tests;

namespace MqttCheck.AcceptanceTests.Workers;

/// <summary>Workers as processes of their own that load a broker together.</summary>
[Platform("Linux")]
[Parallelizable]
public sealed class LiveWorkerTests : WorkerFixture
{
    [Test]
    public async Task A_worker_killed_in_a_run_spoils_this_run_only_and_learn_reads_the_log()
    {
        await StartWorkersAsync(2);
        using var tool = Explore("24s");
        // The log is written in pieces, so a short one may come when all is over.
        await tool.WaitForAsync("case [2-6] of 8");
        Workers[1].Signal("KILL");
        var result = await tool.WaitAsync();
        // Other work on this machine may make runs late; then code 4 says so.
        Assert.That(result.ExitCode, Is.AnyOf(0, 4), result.ToString);
        Assert.That(result.Error, Does.Match(@"[1-8] of 8 runs are invalid: "));
        using var information = JsonDocument.Parse(await File.ReadAllTextAsync(Folder.File("log.run.json")));
        var runs = information.RootElement.GetProperty("runs").EnumerateArray().ToList();
        Assert.That(runs, Has.Count.EqualTo(8));
        var lost = runs.Where(run => run.GetProperty("health").TryGetProperty("lostWorker", out _)).ToList();
        Assert.That(
            (lost.Count, lost[0].GetProperty("health").GetProperty("valid").GetBoolean()),
            Is.EqualTo((1, false))
        );
        // Runs of two workers state how well their clocks agree; those of one need not.
        Assert.That(lost[0].GetProperty("health").TryGetProperty("clockBoundMilliseconds", out _), Is.True);
        Assert.That(runs[^1].GetProperty("health").TryGetProperty("clockBoundMilliseconds", out _), Is.False);
        var learned = await ToolProcess.SucceedAsync(Folder.Path, "learn", "log.csv");
        Assert.That(learned.Error, Does.Not.Contain("cut short"));
    }

    [Test]
    public async Task Interrupted_the_fleet_ends_on_allWorkers_and_they_go_on()
    {
        await StartWorkersAsync(2);
        using var tool = Explore("60s");
        Assert.That(
            () => File.Exists(Folder.File("log.csv")) ? Logged().Count(c => c == '\n') : 0,
            Is.GreaterThan(300).After(60).Seconds.PollEvery(10).MilliSeconds
        );
        var result = await tool.EndAsync("INT");
        Assert.That(result.ExitCode, Is.EqualTo(130), result.ToString);
        Assert.That(result.Output, Does.Match(@"log: log\.csv \(\d+ exchanges in 1 of \d+ cases\)"));
        Assert.That(await File.ReadAllTextAsync(Folder.File("log.csv")), Does.EndWith("\n"));
        // The same workers make the next run.
        var bench = await ToolProcess.RunAsync(
            Folder.Path,
            ["bench", "--profile", "up1", "--clients", "20", "--for", "1s", "--out", "b", "--workers", Redis.Address]
        );
        Assert.That(bench.ExitCode, Is.AnyOf(0, 4), bench.ToString);
        Assert.That(bench.Error, Does.Contain("divided among 2 workers"));
        Assert.That(bench.Output, Does.Match(@"messages +\d+: \d+ success; 0 duplicates"));
    }

    [Test]
    public async Task A_load_of_messages_is_divided_too_and_every_message_is_counted_once()
    {
        await StartWorkersAsync(2);
        var result = await ToolProcess.RunAsync(
            Folder.Path,
            [
                .. "bench --pairs 10 --rate 200 --for 2s --warm-up 500ms --out b --format json --workers".Split(' '),
                Redis.Address,
            ]
        );
        Assert.That(result.ExitCode, Is.AnyOf(0, 4), result.ToString);
        Assert.That(result.Error, Does.Contain("divided among 2 workers"));
        using var document = JsonDocument.Parse(result.Output);
        var run = document.RootElement.GetProperty("runs")[0];
        Assert.That(run.GetProperty("publishers").GetInt32(), Is.EqualTo(10));
        Assert.That(run.GetProperty("messages").GetInt64(), Is.EqualTo(400).Within(2));
        Assert.That(run.GetProperty("outcomes").GetProperty("delivered").GetInt64(), Is.EqualTo(400).Within(2));
        Assert.That(run.GetProperty("duplicates").GetInt64() + run.GetProperty("strays").GetInt64(), Is.Zero);
        Assert.That(File.Exists(Folder.File("b/latency.hgrm")));
        var fanOut = await ToolProcess.RunAsync(
            Folder.Path,
            ["bench", "--workload", "fan-out", "--for", "1s", "--workers", Redis.Address]
        );
        Assert.That(fanOut.ExitCode, Is.EqualTo(2), fanOut.ToString);
        Assert.That(fanOut.Error, Does.Contain("fan-out").And.Contain("allowed with workers: pairs and fan-in"));
    }

    // The parts of the fleet and what the workers tell each other are seen without TLS, so looking for them can fail.
    [TestCase(false, Explicit = true)]
    [TestCase(true, Explicit = true)]
    public async Task A_capture_of_a_live_run_shows_nothing_of_the_fleet_between_workers_with_tls(bool isProtected)
    {
        const string profile = """
            {
              "name": "fleet-in-confidence",
              "waitMilliseconds": { "uniform": [0, 40] },
              "weights": { "connect": 1, "disconnect": 1, "publish": 5, "subscribe": 3, "unsubscribe": 2 }
            }
            """;
        await File.WriteAllTextAsync(Folder.File("fleet.json"), profile);
        string[] tls = isProtected ? ["--certificate", await MakeCertificateAsync()] : [];
        // Each worker has two ports: one for the others, the next one for commands.
        var (first, second) = (RedisServer.FreePort(), RedisServer.FreePort());
        while (Math.Abs(first - second) < 2)
            second = RedisServer.FreePort();
        var address = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{first}");
        foreach (
            string[] port in (string[][])
                [
                    [],
                    ["--port", second.ToString(CultureInfo.InvariantCulture)],
                ]
        )
        {
            var worker = ToolProcess.Start(
                Folder.Path,
                Key,
                ["worker", "--join", address, "--slots", "1", .. port, .. tls]
            );
            Add(worker);
            await worker.WaitForAsync("1 slot, joined");
        }
        var file = Folder.File("capture.pcapng");
        using (var capture = await Capture.StartAsync(file, first, first + 1, second, second + 1))
        {
            var result = await ToolProcess.RunAsync(
                Folder.Path,
                Key,
                [
                    .. "bench --profile fleet.json --clients 20 --for 2s --out bench --workers".Split(' '),
                    address,
                    .. tls,
                ]
            );
            Assert.That(result.ExitCode, Is.AnyOf(0, 4), result.ToString);
            Assert.That(result.Error, Does.Contain("divided among 2 workers"));
            await capture.EndAsync();
        }
        var bytes = await File.ReadAllBytesAsync(file);
        Assert.That(bytes, Has.Length.GreaterThan(50_000), "both workers talked");
        Assert.That(bytes.AsSpan().IndexOf("fleet-in-confidence"u8) >= 0, Is.EqualTo(!isProtected), "the profile");
        Assert.That(bytes.AsSpan().IndexOf("mqttcheck/"u8) >= 0, Is.EqualTo(!isProtected), "the topics");
        Assert.That(bytes.AsSpan().IndexOf("partpost"u8) >= 0, Is.EqualTo(!isProtected), "worker to worker");
        Assert.That(bytes.AsSpan().IndexOf("a key of more"u8), Is.EqualTo(-1), "the key never travels");
    }

    private ToolProcess Explore(string time) =>
        ToolProcess.Start(
            Folder.Path,
            ["explore", "--for", time, "-p", "up1", "--out", "log.csv", "--workers", Redis.Address]
        );

    private string Logged()
    {
        using var reader = new StreamReader(
            new FileStream(Folder.File("log.csv"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite)
        );
        return reader.ReadToEnd();
    }
}
