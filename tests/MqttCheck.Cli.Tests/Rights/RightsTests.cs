using MqttCheck.Brokers.Processes;
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
        Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Refuted), screen.Error);
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

    // Mosquitto takes a limit for a listener only, whose port is part of the configuration. Started as root it reads
    // its files as another user.
    private async Task<IBrokerUnderTest> StartAsync(string setting)
    {
        var script = Write(
            "broker.sh",
            $"""
            chmod a+rx '{Folder}'
            printf 'listener %s 127.0.0.1\nallow_anonymous true\n%s\n' "$1" '{setting}' > '{In("broker.conf")}'
            exec mosquitto -c '{In("broker.conf")}'
            """
        );
        return await new BrokerLauncher(new()).StartAsync(
            BrokerSpecification.Parse($"exec:sh {script} {BrokerSpecification.PortPlaceholder}"),
            CancellationToken.None
        );
    }
}
