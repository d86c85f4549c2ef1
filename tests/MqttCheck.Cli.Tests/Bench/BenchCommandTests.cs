using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Bench;

[TestFixture]
internal sealed class BenchCommandTests : DirectoryFixture
{
    [Test]
    public async Task A_run_prints_its_measures_and_writes_its_files()
    {
        var (code, screen) = await RunAsync(
            "none",
            "--pairs",
            "5",
            "--for",
            "300ms",
            "--warm-up",
            "50ms",
            "--in-flight",
            "2",
            "--log"
        );
        // On a loaded machine the generator may be late, which is said; nothing else may be wrong.
        Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Error);
        Assert.That(
            screen.Output,
            Does.Contain("closed loop, 2 in flight per publisher")
                .And.Contain("p99.9")
                .And.Contain("0 lost; 0 duplicates")
                .And.Contain("latency, ms")
                .And.Contain("repeat: mqttcheck bench")
        );
        using var json = JsonDocument.Parse(await File.ReadAllTextAsync(In("bench.json")));
        var run = json.RootElement.GetProperty("runs")[0];
        var messages = run.GetProperty("messages").GetInt64();
        Assert.That(messages, Is.Positive);
        Assert.That(run.GetProperty("latency").GetProperty("count").GetInt64(), Is.EqualTo(messages));
        Assert.That(
            (await File.ReadAllLinesAsync(In("messages.csv"))).Count(line =>
                line.Contains(",counted,", StringComparison.Ordinal)
            ),
            Is.EqualTo(messages)
        );
        Assert.That(
            await File.ReadAllTextAsync(In("latency.hgrm")),
            Does.StartWith("       Value     Percentile TotalCount 1/(1-Percentile)\n")
                .And.Contain($"Total count    = {messages, 12}")
        );
        Assert.That(await File.ReadAllTextAsync(In("bench.html")), Does.Contain("deliveries/s"));
        Assert.That(run.GetProperty("isValid").GetBoolean(), Is.EqualTo(code == ExitCode.Success));
    }

    [Test]
    public async Task An_open_loop_says_so_and_counts_from_the_intended_time()
    {
        var (_, screen) = await RunAsync(
            "none",
            "--shape",
            "fan-in",
            "--clients",
            "4",
            "--subscribers",
            "2",
            "--rate",
            "200",
            "--poisson",
            "--for",
            "300ms",
            "--warm-up",
            "0",
            "--qos",
            "2",
            "--mqtt",
            "3.1.1"
        );
        Assert.That(
            screen.Output,
            Does.Contain("open loop, Poisson arrivals of 200 messages/s")
                .And.Contain("latency, from the intended time")
                .And.Contain("send lag")
                .And.Contain("MQTT 3.1.1 over mqtt")
        );
        Assert.That(File.Exists(In("messages.csv")), Is.False);
    }

    [Test]
    public async Task Acknowledged_messages_that_are_lost_are_a_broken_promise()
    {
        var (code, screen) = await RunAsync(
            "lose:0.05",
            "--pairs",
            "2",
            "--rate",
            "300",
            "--for",
            "300ms",
            "--warm-up",
            "0",
            "--drain",
            "200ms"
        );
        Assert.That(code, Is.EqualTo(ExitCode.Refuted).Or.EqualTo(ExitCode.Withheld));
        Assert.That(screen.Error, Does.Contain("messages were acknowledged and not delivered"));
    }

    [Test]
    public async Task A_sweep_finds_a_knee_and_draws_the_curve()
    {
        var (code, screen) = await RunAsync(
            "none",
            "--pairs",
            "2",
            "--rates",
            "100..400",
            "--steps",
            "3",
            "--for",
            "200ms",
            "--warm-up",
            "0"
        );
        Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Error);
        Assert.That(screen.Output, Does.Contain("offered/s").And.Contain("p50 ├──┤ p99").And.Contain("knee: "));
        Assert.That(await File.ReadAllTextAsync(In("bench.html")), Does.Contain("<polyline"));
        Assert.That(Directory.GetFiles(Folder, "latency-*.hgrm"), Has.Length.EqualTo(3));
    }

    [Test]
    [Category("Whole")]
    public async Task A_scenario_is_one_table_in_which_a_broker_that_fails_says_why()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        var (code, screen) = await TestTool.RunAsync([
            "bench",
            "--scenario",
            "tbmq",
            "--brokers",
            $"mqtt://{broker.Address},mqtt://127.0.0.1:1",
            "--pairs",
            "2,3",
            "--warm-up",
            "1x50ms",
            "--for",
            "1s",
            "--out",
            Folder,
        ]);
        Assert.That(code, Is.EqualTo(ExitCode.BrokerFailed), screen.Error);
        var rows = screen
            .Output.Split('\n')
            .Where(line => line.StartsWith("mqtt://", StringComparison.Ordinal))
            .ToList();
        Assert.That(rows, Has.Count.EqualTo(4));
        Assert.That(rows.Take(2), Is.All.Contain("5, session expiry"));
        Assert.That(rows.Skip(2), Is.All.Contain("127.0.0.1:1"));
    }

    // The tests of loads have Mosquitto and both versions of the embedded broker.
    [TestCase("embedded", "5")]
    [TestCase("mqttnet", "3.1.1")]
    [TestCase("mqttnet", "5")]
    [Category("Whole")]
    public async Task Offline_subscribers_of_a_scenario_come_back_and_get_what_they_missed(string name, string version)
    {
        await using var embedded = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        var broker = name == "embedded" ? $"mqtt://{embedded.Address}" : name;
        // A message a second of each pair; half of the subscribers are away for one of the four.
        var (code, screen) = await TestTool.RunAsync([
            "bench",
            "--scenario",
            "tbmq",
            "--brokers",
            broker,
            "--mqtt",
            version,
            "--pairs",
            "20",
            "--warm-up",
            "1x100ms",
            "--for",
            "4s",
            "--offline-share",
            "0.5",
            "--offline-for",
            "1s",
            "--out",
            Folder,
        ]);
        // On a loaded machine the generator may be late, which is said; nothing else may be wrong.
        Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Error);
        using var json = JsonDocument.Parse(await File.ReadAllTextAsync(In("bench.json")));
        var run = json.RootElement.GetProperty("runs")[0];
        long Number(string key) => run.GetProperty(key).GetInt64();
        Assert.That((Number("messages"), Number("lost")), Is.EqualTo((80, 0)));
        Assert.That(run.GetProperty("outcomes").GetProperty("delivered").GetInt64(), Is.EqualTo(80));
        Assert.That(Number("missedOffline"), Is.Positive, "ten are away for as long as the pause between two messages");
        Assert.That(run.GetProperty("catchUp").GetProperty("count").GetInt64(), Is.EqualTo(Number("missedOffline")));
        Assert.That(Number("duplicates"), Is.Zero);
        Assert.That(
            screen.Output,
            Does.Contain("caught up").And.Contain($"{Number("missedOffline")} of {Number("missedOffline")}")
        );
    }

    [Test]
    public async Task The_log_says_which_messages_came_twice_and_whether_the_run_is_valid()
    {
        var (code, screen) = await RunAsync(
            "duplicate:0.2",
            "--pairs",
            "2",
            "--qos",
            "2",
            "--rate",
            "200",
            "--for",
            "300ms",
            "--warm-up",
            "0",
            "--log"
        );
        var log = await File.ReadAllLinesAsync(In("messages.csv"));
        Assert.That(log[^1], Does.EndWith(code == ExitCode.Withheld ? ",invalid" : ",valid"), screen.Error);
        Assert.That(log.Count(line => line.Contains(",repeat,")), Is.Positive);
        Assert.That(screen.Output, Does.Contain($"{log.Count(line => line.EndsWith(",duplicate"))} duplicates"));
    }

    [TestCase("3.1.1")]
    [TestCase("5")]
    public async Task A_usage_profile_is_a_closed_loop_in_the_version_that_was_asked_for(string version)
    {
        var (code, screen) = await RunAsync(
            "none",
            "--profile",
            "up1",
            "--clients",
            "3",
            "--for",
            "300ms",
            "--mqtt",
            version
        );
        Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Error);
        Assert.That(
            screen.Output,
            Does.Contain("up1: 3 clients").And.Contain("latency").And.Contain($"MQTT {version} over mqtt")
        );
        Assert.That(In("exchanges.csv"), Does.Exist);
        Assert.That(await File.ReadAllTextAsync(In("exchanges.run.json")), Does.Contain($"\"mqtt\": \"{version}\""));
    }

    [Test]
    public async Task Results_are_printed_as_json_and_the_log_is_compressed_on_request()
    {
        var (_, screen) = await RunAsync(
            "none",
            "--pairs",
            "1",
            "--rate",
            "100",
            "--for",
            "100ms",
            "--warm-up",
            "0",
            "--log",
            "--compress",
            "--format",
            "json"
        );
        using var json = JsonDocument.Parse(screen.Output);
        Assert.That(json.RootElement.GetProperty("format").GetString(), Is.EqualTo("mqttcheck-bench"));
        using var log = new StreamReader(
            new GZipStream(File.OpenRead(In("messages.csv.gz")), CompressionMode.Decompress)
        );
        Assert.That(log.ReadToEnd().Split('\n').Count(line => line.Contains(",counted,")), Is.EqualTo(10));
    }

    [Test]
    public async Task A_payload_over_a_limit_that_MQTT_3_1_1_does_not_tell_ends_the_run_with_the_likely_cause()
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions
            {
                Broker = new BrokerOptions { Limits = new BrokerLimits { PacketBytes = 1024 } },
            }
        );
        var (code, screen) = await TestTool.RunAsync([
            "bench",
            "--broker",
            $"mqtt://{broker.Address}",
            "--mqtt",
            "3.1.1",
            "--pairs",
            "1",
            "--payload",
            "2000",
            "--for",
            "60s",
            "--log",
            "--out",
            Folder,
        ]);
        Assert.That(code, Is.EqualTo(ExitCode.BrokerFailed), screen.Error);
        Assert.That(
            screen.Error,
            Does.Contain("payload of 2000 bytes").And.Contain("larger than the broker allows").And.Contain("--payload")
        );
        Assert.That(
            await File.ReadAllTextAsync(In("messages.csv")),
            Does.Match(",failed\n$"),
            "the log says that the run failed"
        );
    }

    [TestCase("--pairs", "1")]
    [TestCase("--profile", "up1")]
    public async Task A_version_that_the_broker_does_not_speak_is_wrong_input(string option, string value)
    {
        using var broker = new TcpListener(IPAddress.Loopback, 0);
        broker.Start();
        using var end = new CancellationTokenSource();
        var serving = ServeVersion311Async(broker, end.Token);
        var (code, screen) = await TestTool.RunAsync([
            "bench",
            "--broker",
            $"mqtt://{broker.LocalEndpoint}",
            option,
            value,
            "--mqtt",
            "5",
            "--for",
            "100ms",
            "--out",
            Folder,
        ]);
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        Assert.That(screen.Error, Does.Contain("--mqtt: 5 given; allowed: 3.1.1"));
        await end.CancelAsync();
        Assert.That(
            async () => await serving,
            Throws.InstanceOf<OperationCanceledException>(),
            "the broker served until it was stopped"
        );
    }

    // Accepts clients of 3.1.1 and refuses others by CONNACK 1, as brokers before MQTT 5 do, until it is stopped.
    private static async Task ServeVersion311Async(TcpListener broker, CancellationToken end)
    {
        while (true)
        {
            using var client = await broker.AcceptTcpClientAsync(end);
            // Type, length, protocol name with its length: the level is the ninth byte.
            var connect = new byte[9];
            try
            {
                await client.GetStream().ReadExactlyAsync(connect, end);
                await client
                    .GetStream()
                    .WriteAsync(new byte[] { 0x20, 0x02, 0x00, connect[8] == 4 ? (byte)0 : (byte)1 }, end);
            }
            catch (IOException)
            {
                // A client that went away.
            }
        }
    }

    private static TestCaseData Case(string name, string[] arguments, params string[] said) =>
        new TestCaseData(arguments, said).SetName(name);

    private static readonly TestCaseData[] WrongInputs =
    [
        Case("Poisson_without_a_rate", ["--poisson"], "--poisson", "--rate"),
        Case("Rate_and_rates", ["--rate", "100", "--rates", "1k..2k"], "--rates", "--rate"),
        Case("Rates_that_descend", ["--rates", "2k..1k"], "--rates", "2k..1k"),
        Case("A_rate_of_nothing", ["--rate", "0"], "--rate", "'0'"),
        Case("A_wildcard_to_publish_to", ["--topic", "a/+/{publisher}"], "wildcard"),
        Case("One_topic_for_all", ["--topic", "a", "--filter", "a"], "{publisher}"),
        Case("A_filter_that_matches_nothing", ["--filter", "b/{subscriber}"], "does not match"),
        Case("A_payload_too_small", ["--payload", "2"], "--payload", "4 "),
        Case("Offline_with_clean_sessions", ["--offline-share", "0.5"], "persistent"),
        Case("Offline_without_share", ["--offline-for", "1s"], "--offline-share"),
        Case("Shape_and_workload", ["--shape", "pairs", "--workload", "fan-in"], "--shape", "--workload"),
        Case("An_unknown_workload", ["--workload", "no-such.json"], "no-such.json", "pairs"),
        Case("Publishers_of_pairs", ["--publishers", "5"], "--pairs"),
        Case("Pairs_of_a_fan_out", ["--shape", "fan-out", "--pairs", "5"], "--clients"),
        Case("Pairs_and_clients", ["--pairs", "5", "--clients", "5"], "--pairs", "--clients"),
        Case("Several_sizes_without_a_scenario", ["--pairs", "5,6"], "--scenario"),
        Case("A_profile_with_a_rate", ["--profile", "up1", "--rate", "5"], "--rate", "--profile"),
        Case("A_profile_with_a_drain", ["--profile", "up1", "--drain", "1s"], "--drain", "--profile"),
        Case(
            "More_clients_than_a_profile_takes",
            ["--profile", "up1", "--clients", "20001"],
            "--clients",
            "20001",
            "20000"
        ),
        Case(
            "A_scenario_of_more_clients_than_there_are_ports",
            ["--scenario", "tbmq", "--pairs", "100,30000"],
            "60000"
        ),
        Case("A_scenario_with_a_topic", ["--scenario", "tbmq", "--topic", "a/{publisher}"], "--topic", "--scenario"),
        Case(
            "A_scenario_offline_for_most_of_its_time",
            ["--scenario", "tbmq", "--for", "2s", "--offline-share", "0.5", "--offline-for", "2s"],
            "Offline time"
        ),
        Case("A_scenario_with_a_broker", ["--scenario", "tbmq", "--broker", "mosquitto"], "--broker", "--scenario"),
        Case("Brokers_without_a_scenario", ["--brokers", "mosquitto"], "--brokers", "--scenario"),
        Case("Steps_without_rates", ["--steps", "5"], "--steps", "--rates"),
        Case("A_log_that_is_none_and_compressed", ["--compress"], "--log", "--compress"),
        Case("A_quality_of_service_of_3", ["--qos", "3"], "--qos", "'3'"),
        Case("A_warm_up_without_unit", ["--warm-up", "5"], "--warm-up", "10x2s"),
        Case("More_clients_than_there_are_ports", ["--shape", "fan-in", "--clients", "60000"], "60000"),
    ];

    [TestCaseSource(nameof(WrongInputs))]
    public Task Wrong_input_is_one_message_before_anything_runs(string[] arguments, string[] said) =>
        TestTool.AssertRefusedAsync(["bench", .. arguments, "--out", Folder], said);

    [Test]
    public Task A_remote_broker_gets_an_open_loop_of_no_more_than_its_cap() =>
        TestTool.AssertRefusedAsync(
            ["bench", "--broker", "mqtt://192.0.2.1:1883", "--allow-remote", "--out", Folder],
            "1000 messages/s",
            "--rate-cap"
        );

    private async Task<(int Code, TestScreen Screen)> RunAsync(string faults, params string[] arguments)
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Broker = new BrokerOptions { Faults = FaultPlan.Parse(faults, "test") } }
        );
        string address = $"mqtt://{broker.Address}";
        return await TestTool.RunAsync(["bench", "--broker", address, "--out", Folder, .. arguments]);
    }
}
