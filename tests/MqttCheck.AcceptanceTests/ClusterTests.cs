namespace MqttCheck.AcceptanceTests;

/// <summary>A cluster of installed brokers as the target of the tool.</summary>
[Platform("Linux")]
[Parallelizable(ParallelScope.All)]
public sealed class ClusterTests
{
    [Test]
    public async Task A_tool_that_is_killed_leaves_no_node_no_relay_and_no_directory()
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        using var directory = new WorkDirectory();
        var temporary = Directory.CreateDirectory(directory.File("temporary")).FullName;
        using var tool = ToolProcess.Start(
            directory.Path,
            new Dictionary<string, string> { ["TMPDIR"] = temporary },
            ["bench", "--broker", "cluster:bridge-pair", "--pairs", "2", "--rate", "10", "--for", "10m"]
        );
        await tool.WaitForAsync("sent, ");
        var children = Processes.DescendantsOf(tool.Id);
        Assert.That(children, Has.Count.GreaterThanOrEqualTo(2), "each node is a process of its own");
        Assert.That(Directory.GetDirectories(temporary, "mqttcheck-*"), Is.Not.Empty);
        await tool.EndAsync("KILL");
        Processes.WaitUntilGone(children);
        Assert.That(
            () => Directory.GetDirectories(temporary, "mqttcheck-*"),
            Is.Empty.After(10).Seconds.PollEvery(50).MilliSeconds
        );
    }

    [TestCase("power a at 100ms")]
    [TestCase("power all at 1s for 1s")]
    [TestCase("fill b at 100ms")]
    public async Task A_tool_that_is_killed_leaves_no_disk_mounted_or_attached(string fault)
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        DiskTraces.Require();
        using var directory = new WorkDirectory();
        var temporary = Directory.CreateDirectory(directory.File("temporary")).FullName;
        using var tool = ToolProcess.Start(
            directory.Path,
            new Dictionary<string, string> { ["TMPDIR"] = temporary },
            ["cluster", "run", "bridge-pair", "--fault", fault, "--for", "5m", "--runs", "1"]
        );
        await tool.WaitForAsync("2 nodes run");
        Assert.That(
            () => DiskTraces.Under(temporary).Count,
            Is.AtLeast(2).After(10).Seconds.PollEvery(20).MilliSeconds,
            "an image is attached and mounted"
        );
        await tool.EndAsync("KILL");
        Assert.That(() => DiskTraces.Under(temporary), Is.Empty.After(20).Seconds.PollEvery(50).MilliSeconds);
        Assert.That(
            () => Directory.GetDirectories(temporary, "mqttcheck-*"),
            Is.Empty.After(10).Seconds.PollEvery(50).MilliSeconds
        );
    }

    [Test]
    public async Task A_user_who_may_not_mount_is_told_what_a_power_failure_needs_before_anything_starts()
    {
        Missing.Require("setpriv", "apt-get install util-linux (Debian, Ubuntu)");
        DiskTraces.Require();
        var start = new System.Diagnostics.ProcessStartInfo("setpriv")
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
            // Every user may write there, and not where this test may have its own temporary files.
            WorkingDirectory = "/tmp",
        };
        // Files of this program may be read by all users.
        foreach (
            var word in (string[])
                [
                    "--reuid=65534",
                    "--clear-groups",
                    "dotnet",
                    "exec",
                    Path.Combine(AppContext.BaseDirectory, "MqttCheck.Cli.dll"),
                    "cluster",
                    "run",
                    "bridge-pair",
                    "--fault",
                    "power a at 1s",
                ]
        )
            start.ArgumentList.Add(word);
        start.Environment["HOME"] = start.Environment["TMPDIR"] = "/tmp";
        using var process = System.Diagnostics.Process.Start(start)!;
        var error = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.That((process.ExitCode, error), Is.EqualTo((3, error)));
        Assert.That(error, Does.Contain("'power a at 1s' cannot be made here").And.Contain("sudo mqttcheck"));
    }

    [Test]
    public async Task A_bench_spreads_its_clients_over_the_nodes_and_everything_crosses_the_bridge()
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        using var directory = new WorkDirectory();
        var result = await ToolProcess.RunAsync(
            directory.Path,
            "bench",
            "--broker",
            "cluster:bridge-pair",
            "--pairs",
            "4",
            "--rate",
            "100",
            "--for",
            "2s"
        );
        // Other work on this machine may make the generator late; then code 4 says so.
        Assert.That(result.ExitCode, Is.AnyOf(0, 4), result.ToString);
        Assert.That(
            result.Output,
            Does.Contain("cluster:bridge-pair").And.Contain("200 delivered, 0 lost"),
            result.ToString
        );
    }

    // A bridge that only sends never subscribes; two parallel bridges deliver each message twice.
    [TestCase(
        """{ "between": ["a", "b"], "topics": "x/# out 1" }""",
        @"(\d+) of \1 deliveries came, 0 lost \(0 away from faults\), 0 repeated"
    )]
    [TestCase(
        """
            { "between": ["a", "b"], "topics": ["x/# out 1", "z/# in 1"] },
            { "between": ["b", "a"], "topics": "x/# in 1" }
            """,
        @"(\d+) of \1 deliveries came, 0 lost \(0 away from faults\), \1 repeated"
    )]
    public async Task Bridges_of_one_direction_run_and_copies_of_two_ways_are_repeats(string links, string outcome)
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        using var directory = new WorkDirectory();
        await File.WriteAllTextAsync(
            directory.File("bridges.json"),
            $$"""
            { "name": "bridges", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ {{links}} ], "topicPrefix": "x/y/", "durationSeconds": 4,
              "workload": { "name": "w", "shape": "fan-out", "publishers": 1, "subscribers": 1, "qos": 1,
                "arrivals": { "constant": 40 }, "durationSeconds": 4 },
              "sites": [ { "name": "pa", "at": "a", "publishers": 1 }, { "name": "sb", "at": "b", "subscribers": 1 } ] }
            """
        );
        var result = await ToolProcess.RunAsync(
            directory.Path,
            ["cluster", "run", "bridges.json", "--runs", "1", "--property", "P[ lost = 0 ]"]
        );
        Assert.That(result.Output, Does.Match(outcome).And.Not.Contain("retained"), result.ToString);
        Assert.That(result.Output + result.Error, Does.Not.Contain("go round"));
    }

    // Mosquitto opens a bridge again some seconds after its link has healed. What is lost until then is near the fault.
    [Test]
    public async Task A_bridge_that_is_still_away_after_its_link_has_healed_is_near_the_fault()
    {
        Missing.Require("mosquitto", "apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS)");
        using var directory = new WorkDirectory();
        await File.WriteAllTextAsync(
            directory.File("away.json"),
            """
            { "name": "away", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"], "topics": "# both 0" } ],
              "workload": { "name": "w", "shape": "fan-out", "publishers": 2, "subscribers": 2, "qos": 1,
                "arrivals": { "constant": 100 }, "durationSeconds": 8 },
              "faults": ["cut a-b at 2s for 3s"] }
            """
        );
        var result = await ToolProcess.RunAsync(
            directory.Path,
            ["cluster", "run", "away.json", "--runs", "1", "--property", "P[ lost = 0 ]"]
        );
        Assert.That(result.Output, Does.Match(@"[1-9]\d* lost \(0 away from faults\)"), result.ToString);
        Assert.That(result.Output, Does.Not.Contain("delivery: run 1"), result.ToString);
    }
}
