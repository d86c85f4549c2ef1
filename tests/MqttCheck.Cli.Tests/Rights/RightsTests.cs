using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Tests.Wire;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Rights;

/// <summary>Every command that loads a broker, on Mosquittos that deny something.</summary>
[TestFixture]
[Category("Whole")]
[Category("mosquitto")]
internal sealed class RightsTests : DirectoryFixture
{
    private const string DenyAll = "";
    private const string Prefix = "topic readwrite plant/#";
    private const string PerUser = "pattern readwrite users/%u/#";

    // Publishers alone, which no lost delivery would tell that nothing is delivered.
    private const string Publishers = """
        {
          "name": "publishers",
          "waitMilliseconds": { "constant": 20 },
          "weights": { "publish": 1 },
          "topics": 3,
          "qos": QOS,
          "sequenceLength": 3
        }
        """;

    // The commands stop beside each other, and each blocks a thread while the broker is silent.
    [OneTimeSetUp]
    public static void AllowThreads()
    {
        ThreadPool.GetMinThreads(out var workers, out var ports);
        ThreadPool.SetMinThreads(Math.Max(workers, 24), ports);
    }

    [Test]
    public async Task Every_command_stops_before_it_loads_a_broker_that_denies_the_topics(
        [Values(DenyAll, Prefix, PerUser)] string rules,
        [Values("3.1.1", "5")] string version
    )
    {
        await using var broker = await StartAsync($"acl_file {Write("rules", rules)}");
        await PredictAsync();
        await AssertStoppedAsync(
            Commands(Profile(1)).Append(["verify", In("prediction.json")]).Append(["check", "--for", "500ms"]),
            broker,
            version,
            UserOf(rules)
        );
    }

    [Test]
    public async Task Every_command_stops_before_it_loads_a_broker_that_denies_the_quality_of_service(
        [Values("3.1.1", "5")] string version
    )
    {
        await using var broker = await StartAsync("max_qos 1");
        await AssertStoppedAsync(
            Commands(Profile(2)).Append(["bench", "--qos", "2", "--for", "300ms"]),
            broker,
            version
        );
        var (code, screen) = await RunAsync(broker, ["check", "--for", "500ms", "--protocol", version]);
        // A check as short as this one may have no time to look into a deviation, which gives no verdict.
        Assert.That(
            code,
            Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Refuted).Or.EqualTo(ExitCode.Withheld),
            screen.Output + screen.Error
        );
        Assert.That(screen.Error, Does.Contain("QoS 2").And.Contain("What follows may be due to that"));
    }

    [TestCase(Prefix, "plant/", "3.1.1")]
    [TestCase(Prefix, "plant/", "5")]
    [TestCase(PerUser, "users/alice/", "3.1.1")]
    [TestCase(PerUser, "users/alice/", "5")]
    public async Task Commands_work_below_a_prefix_that_the_broker_allows(string rules, string prefix, string version)
    {
        await using var broker = await StartAsync($"acl_file {Write("rules", rules)}");
        string[][] commands =
        [
            ["explore", "--for", "1s", "--up-to-clients", "5", "--out", In("log.csv"), "--mqtt", version],
            ["bench", "--pairs", "2", "--for", "300ms", "--mqtt", version],
            ["check", "--steps", "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1", "--protocol", version],
        ];
        foreach (var command in commands)
        {
            var (code, screen) = await RunAsync(broker, [.. command, .. UserOf(rules), "--topic-prefix", prefix]);
            // On a loaded machine the generator may be late, which is said.
            Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Output + screen.Error);
        }
    }

    [Test]
    public async Task Topics_that_a_profile_names_are_used_as_written()
    {
        await using var broker = await StartAsync($"acl_file {Write("rules", Prefix)}");
        var profile = Write(
            "named.json",
            Publishers.Replace("QOS", "1, \"topicName\": \"plant/line/{topic}\"", StringComparison.Ordinal)
        );
        var (code, screen) = await RunAsync(
            broker,
            ["explore", "--for", "1s", "--up-to-clients", "5", "--profile", profile, "--out", In("log.csv")]
        );
        Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Output + screen.Error);
    }

    // The page of 'run' says at its top that the broker refused.
    [Test]
    public async Task A_command_that_a_broker_refuses_leaves_no_log()
    {
        await using var broker = await StartAsync($"acl_file {Write("rules", DenyAll)}");
        await PredictAsync();
        var profile = Profile(1);
        string[][] commands =
        [
            .. Commands(profile).Where(command => command[0] != "compare"),
            ["compare", "--brokers", $"mqtt://{broker.Address},embedded:none", "--quick", "--profile", profile],
            ["verify", In("prediction.json")],
            ["bench", "--pairs", "2", "--for", "300ms"],
            ["check", "--for", "500ms"],
            ["check", "--steps", "A connect clean; A subscribe ~/a:1"],
        ];
        var results = await Task.WhenAll(
            commands.Select(
                async (command, number) =>
                {
                    var folder = Directory.CreateDirectory(In($"alone{number}"));
                    string[] target = command[0] == "compare" ? [] : ["--broker", $"mqtt://{broker.Address}"];
                    var error = await FailAsync([.. command, .. target], folder.FullName);
                    var left = folder
                        .EnumerateFiles("*", SearchOption.AllDirectories)
                        .Select(file => file.Name)
                        .Where(name => !name.EndsWith(".html", StringComparison.Ordinal));
                    return (Command: string.Join(' ', command), error, left);
                }
            )
        );
        using (Assert.EnterMultipleScope())
            foreach (var (command, error, left) in results)
            {
                Assert.That(error.ReplaceLineEndings(" "), Does.Contain("No load was sent"), command);
                Assert.That(left, Is.Empty, command);
            }
    }

    [Test]
    public async Task A_broker_is_asked_over_TLS_too([Values("3.1.1", "5")] string version)
    {
        var (certificate, key) = TestCertificates.Write(Folder, "server", TestCertificates.Create("localhost"));
        var authority = Write("authority.pem", TestCertificates.Authority.ExportCertificatePem());
        var port = FreePort();
        await using var broker = await StartAsync(
            $"acl_file {Write("rules", Prefix)}\nlistener {port} 127.0.0.1\ncertfile {certificate}\nkeyfile {key}"
        );
        string[] secure = ["--broker", $"mqtts://127.0.0.1:{port}", "--ca-file", authority, "--mqtt", version];
        string[] bench = ["bench", "--pairs", "2", "--for", "300ms", .. secure];
        var (code, screen) = await TestTool.RunAsync(bench);
        Assert.That(code, Is.EqualTo(ExitCode.BrokerFailed), screen.Output + screen.Error);
        Assert.That(
            screen.Error.ReplaceLineEndings(" "),
            Does.Contain($"The broker at 127.0.0.1:{port} ").And.Contain("mqttcheck/").And.Contain("No load was sent")
        );
        (code, screen) = await TestTool.RunAsync([.. bench, "--topic-prefix", "plant/"]);
        // On a loaded machine the generator may be late, which is said.
        Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Output + screen.Error);
    }

    [TestCase("plant")]
    [TestCase("plant/+/")]
    [TestCase("$SYS/")]
    public async Task A_prefix_that_no_topic_can_have_is_refused(string prefix) =>
        await TestTool.AssertRefusedAsync(["explore", "--topic-prefix", prefix], "--topic-prefix", prefix, "plant/");

    // Mosquitto applies a topic to clients without a user name.
    private static string[] UserOf(string rules) => rules == PerUser ? ["--user", "alice"] : [];

    private static IEnumerable<string[]> Commands(string profile) =>
        [
            ["explore", "--for", "1s", "--profile", profile],
            ["run", "--quick", "--profile", profile],
            ["verify", "--property", "P>=0.9[ G latency(publish) < 250ms ]", "--profile", profile, "--clients", "5"],
            ["calibrate", "--train", "1s", "--clients", "5", "--runs", "2", "--profile", profile],
            ["compare", "--quick", "--clients", "5", "--profile", profile],
            ["bench", "--profile", profile, "--clients", "5", "--for", "300ms"],
        ];

    private async Task AssertStoppedAsync(
        IEnumerable<string[]> commands,
        IBrokerUnderTest broker,
        string version,
        params string[] more
    )
    {
        var results = await Task.WhenAll(
            commands.Select(
                async (command, number) =>
                {
                    string[] words =
                    [
                        .. command,
                        command[0] == "check" ? "--protocol" : "--mqtt",
                        version,
                        .. command[0] == "bench" ? (string[])[] : ["--out", In($"out{number}")],
                        .. more,
                    ];
                    var (code, screen) = await RunAsync(broker, words);
                    return (Command: string.Join(' ', words), code, screen.Error);
                }
            )
        );
        using (Assert.EnterMultipleScope())
            foreach (var (command, code, error) in results)
            {
                Assert.That(code, Is.EqualTo(ExitCode.BrokerFailed), command + error);
                Assert.That(error.ReplaceLineEndings(" "), Does.Contain("No load was sent"), command);
            }
    }

    private static Task<(int Code, TestScreen Screen)> RunAsync(IBrokerUnderTest broker, string[] words)
    {
        var address = $"mqtt://{broker.Address}";
        string[] target = words[0] == "compare" ? ["--brokers", $"{address},embedded:none"] : ["--broker", address];
        return TestTool.RunAsync([.. words, .. target]);
    }

    // In a process of its own, because files are written to the current directory.
    private static async Task<string> FailAsync(string[] words, string folder)
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, "MqttCheck.Cli"), words)
        {
            WorkingDirectory = folder,
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        var texts = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        Assert.That(process.ExitCode, Is.EqualTo(ExitCode.BrokerFailed), string.Concat(texts));
        return texts[1];
    }

    private static int FreePort()
    {
        using var free = new TcpListener(IPAddress.Loopback, 0);
        free.Start();
        return ((IPEndPoint)free.LocalEndpoint).Port;
    }

    private async Task PredictAsync() =>
        await TestTool.SucceedAsync(
            "predict",
            "--model",
            RepositoryFiles.Model,
            "--profile",
            "up1",
            "--clients",
            "50",
            "--replications",
            "20",
            "--threshold",
            "20ms",
            "--out",
            In("prediction.json")
        );

    private string Profile(int qos) =>
        Write(
            "publishers.json",
            Publishers.Replace(
                "QOS",
                qos.ToString(System.Globalization.CultureInfo.InvariantCulture),
                StringComparison.Ordinal
            )
        );

    private string Write(string name, string text)
    {
        File.WriteAllText(In(name), text + "\n");
        return In(name);
    }

    private Task<IBrokerUnderTest> StartAsync(string settings) => ConfiguredMosquitto.StartAsync(Folder, settings);
}
