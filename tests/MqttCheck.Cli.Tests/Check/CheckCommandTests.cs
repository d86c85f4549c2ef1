using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Check;

[TestFixture]
internal sealed class CheckCommandTests : DirectoryFixture
{
    [Test]
    public async Task A_scenario_without_deviation_gives_exit_code_0_and_its_packets()
    {
        var (code, screen) = await RunAsync(
            "none",
            "--protocol",
            "3.1.1",
            "--steps",
            "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1",
            "--times",
            "2"
        );
        Assert.That(code, Is.EqualTo(ExitCode.Success), screen.Error);
        Assert.That(
            screen.Output,
            Does.Contain("--> PUBLISH     ~/a 'm0' QoS 1").And.Contain("no deviation in 2 repetitions")
        );
    }

    [Test]
    public async Task A_scenario_that_violates_a_MUST_gives_exit_code_1_and_the_statement()
    {
        var (code, screen) = await RunAsync(
            "wrong-qos:1",
            "--protocol",
            "3.1.1",
            "--steps",
            "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1",
            "--times",
            "1"
        );
        Assert.That(code, Is.EqualTo(ExitCode.Refuted), screen.Error);
        Assert.That(screen.Output, Does.Contain("MQTT-3.8.4-6 (MUST) 1 of 1"));
    }

    [Test]
    [Category("Whole")]
    public async Task Exploration_prints_a_finding_once_and_writes_the_files()
    {
        var findings = In("findings.json");
        var summary = In("summary.md");
        var (code, screen) = await RunAsync(
            "ignore-unsubscribe:1",
            "--protocol",
            "3.1.1",
            "--only",
            "unsubscribed",
            "--well-formed",
            "--for",
            "4s",
            "--out",
            findings,
            "--summary",
            summary
        );
        Assert.That(code, Is.EqualTo(ExitCode.Refuted), screen.Output + screen.Error);
        using var document = JsonDocument.Parse(await File.ReadAllTextAsync(findings));
        var first = document.RootElement.GetProperty("findings")[0];
        Assert.That(first.GetProperty("statement").GetString(), Is.EqualTo("MQTT-3.10.4-1"));
        Assert.That(first.GetProperty("scenario").GetArrayLength(), Is.LessThanOrEqualTo(6));
        Assert.That(screen.Output, Does.Contain(first.GetProperty("repeat").GetString()));
        Assert.That(await File.ReadAllTextAsync(summary), Does.Contain("| MQTT-3.10.4-1 | MUST |"));
    }

    [Test]
    [Category("Whole")]
    public async Task A_broker_whose_answer_to_CONNECT_is_wrong_gets_a_finding()
    {
        // A CONNACK with session present to a client that wants a clean session.
        using var broker = Answering(_ => true);
        var findings = In("findings.json");
        var (code, screen) = await TestTool.RunAsync([
            "check",
            "--broker",
            $"mqtt://{broker.LocalEndpoint}",
            "--for",
            "4s",
            "--well-formed",
            "--only",
            "clean-session-not-present",
            "--out",
            findings,
        ]);
        Assert.That(code, Is.EqualTo(ExitCode.Refuted), screen.Output + screen.Error);
        Assert.That(await File.ReadAllTextAsync(findings), Does.Contain("MQTT-3.2.2-1"));
    }

    // A few answers to a clean start are wrong (MQTT-3.2.2-1), and all later ones are right: that cannot be repeated,
    // and it is not nothing.
    [Test]
    [Category("Whole")]
    public async Task What_was_seen_and_never_came_again_gives_exit_code_4()
    {
        var clean = 0;
        using var broker = Answering(connect =>
            (connect[9] & 2) != 0 && Interlocked.Increment(ref clean) is >= 20 and < 24
        );
        var findings = In("findings.json");
        var (code, screen) = await TestTool.RunAsync([
            "check",
            "--broker",
            $"mqtt://{broker.LocalEndpoint}",
            "--protocol",
            "3.1.1",
            "--for",
            "4s",
            "--well-formed",
            "--only",
            "clean-session-not-present",
            "--out",
            findings,
        ]);
        Assert.That(code, Is.EqualTo(ExitCode.Withheld), screen.Output + screen.Error);
        Assert.That(screen.Output, Does.Contain("seen once: clean-session-not-present"));
        Assert.That(await File.ReadAllTextAsync(findings), Does.Contain("\"transcript\""));
    }

    // The broker answers a first connection, and then it is gone: that was seen once, nobody can repeat it, and
    // somebody else may have stopped it.
    [Test]
    public async Task A_running_broker_that_is_lost_gives_exit_code_3_and_says_that_it_was_seen_once()
    {
        using var broker = new TcpListener(IPAddress.Loopback, 0);
        broker.Start();
        var address = broker.LocalEndpoint;
        _ = Task.Run(async () =>
        {
            using var socket = await broker.AcceptSocketAsync();
            broker.Stop();
            await socket.ReceiveAsync(new byte[1024]);
            await socket.SendAsync(new byte[] { 0x20, 2, 0, 0 });
        });
        var findings = In("findings.json");
        var (code, screen) = await TestTool.RunAsync([
            "check",
            "--broker",
            $"mqtt://{address}",
            "--protocol",
            "3.1.1",
            "--for",
            "30s",
            "--well-formed",
            "--out",
            findings,
        ]);
        Assert.That(code, Is.EqualTo(ExitCode.BrokerFailed), screen.Output + screen.Error);
        Assert.That(
            screen.Output,
            Does.Contain("repeated: never: seen once")
                .And.Contain("1 findings, 0 of them violate a MUST, 1 seen once and not repeated")
                .And.Not.Contain("1 of 1")
        );
        Assert.That(await File.ReadAllTextAsync(findings), Does.Contain("\"replays\": 0"));
    }

    // The tests of the report hold what each format has.
    [Test]
    [Category("Whole")]
    public async Task Findings_are_printed_in_the_format_that_is_asked_for()
    {
        var (code, screen) = await RunAsync(
            "ignore-unsubscribe:1",
            "--protocol",
            "3.1.1",
            "--only",
            "unsubscribed",
            "--well-formed",
            "--for",
            "2s",
            "--format",
            "github",
            "--out",
            In("findings.json")
        );
        Assert.That(code, Is.EqualTo(ExitCode.Refuted), screen.Output + screen.Error);
        Assert.That(screen.Output, Does.Contain("::error"));
    }

    [Test]
    public async Task Repeating_a_scenario_ends_when_it_is_interrupted()
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        var screen = new TestScreen();
        using var interruption = new Interruption();
        interruption.Interrupt();
        var code = await ToolCommands.RunAsync(
            ["check", "--broker", $"mqtt://{broker.Address}", "--steps", "A connect clean", "--times", "100000"],
            screen.Screen,
            interruption
        );
        Assert.That(code, Is.EqualTo(ExitCode.Interrupted), screen.Output + screen.Error);
    }

    [TestCase(
        "--format: given beside --steps; allowed: while exploring.",
        "--steps",
        "A connect clean",
        "--format",
        "json"
    )]
    [TestCase("--beside: given without a scenario; allowed: with --steps or --replay.", "--beside", "A connect clean")]
    [TestCase("--load: '0' is out of range; allowed: above 0, up to 10M messages/s, or a profile.", "--load", "0")]
    [TestCase("--load: '0' clients given; allowed: a whole number from 1 to 20000.", "--load", "up1=0")]
    [TestCase("nobody", "--load", "nobody")]
    public Task Wrong_input_is_refused_with_its_reason(string reason, params string[] arguments) =>
        TestTool.AssertRefusedAsync(["check", "--broker", "mqtt://127.0.0.1:1", .. arguments], reason);

    [Test]
    [Category("Whole")]
    public async Task A_fault_above_a_load_is_shown_under_it()
    {
        string[] scenario =
        [
            "--protocol",
            "3.1.1",
            "--steps",
            "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1",
            "--times",
            "1",
        ];
        var (quiet, _) = await RunAsync("lose:1,load=100", scenario);
        Assert.That(quiet, Is.EqualTo(ExitCode.Success));
        var (busy, screen) = await RunAsync("lose:1,load=100", [.. scenario, "--load", "1k"]);
        Assert.That(busy, Is.EqualTo(ExitCode.Refuted), screen.Output + screen.Error);
    }

    // Without a deviation in N commands the exact upper limit is ln 20 / N (the rule of three).
    [Test]
    [Category("Whole")]
    public async Task Rates_are_told_with_their_confidence_also_of_what_was_not_seen()
    {
        var findings = In("findings.json");
        var (code, screen) = await RunAsync("none", "--rate", "--for", "3s", "--well-formed", "--out", findings);
        Assert.That(code, Is.EqualTo(ExitCode.Success), screen.Output + screen.Error);
        using var document = JsonDocument.Parse(await File.ReadAllTextAsync(findings));
        var commands = document.RootElement.GetProperty("commands").GetInt64();
        Assert.That(
            screen.Output,
            Does.Contain(
                FormattableString.Invariant(
                    $"not seen in {commands} commands happens less than {Math.Log(20) / commands * 1e6:0.##} times"
                )
            )
        );
    }

    [Test]
    [Category("Whole")]
    public async Task Every_printed_command_was_run_on_a_fresh_broker()
    {
        var findings = In("findings.json");
        var (code, screen) = await TestTool.RunAsync([
            "check",
            "--broker",
            $"exec:dotnet {typeof(ToolCommands).Assembly.Location} broker --port {{port}} "
                + "--faults ignore-unsubscribe:1",
            "--protocol",
            "3.1.1",
            "--only",
            "unsubscribed",
            "--well-formed",
            "--for",
            "3s",
            "--out",
            findings,
        ]);
        Assert.That(code, Is.EqualTo(ExitCode.Refuted), screen.Output + screen.Error);
        Assert.That(screen.Output, Does.Contain("on a fresh broker: shown in 5 of 5 repetitions"));
        Assert.That(await File.ReadAllTextAsync(findings), Does.Contain("\"onFreshBroker\": \"shown in 5 of 5"));
    }

    [Test]
    [Category("Whole")]
    public async Task A_rate_cap_holds_for_commands()
    {
        var findings = In("findings.json");
        await RunAsync(
            "none",
            "--protocol",
            "3.1.1",
            "--well-formed",
            "--rate-cap",
            "100",
            "--for",
            "3s",
            "--out",
            findings
        );
        using var document = JsonDocument.Parse(await File.ReadAllTextAsync(findings));
        // 16 scenarios of at most 20 commands may begin at once.
        Assert.That(document.RootElement.GetProperty("commands").GetInt64(), Is.InRange(50, 700));
    }

    // A broker that answers CONNECT only, with session present where a function of the packet says so.
    private static TcpListener Answering(Func<byte[], bool> isPresent)
    {
        var broker = new TcpListener(IPAddress.Loopback, 0);
        broker.Start();
        _ = AcceptAsync();
        return broker;
        async Task AcceptAsync()
        {
            while (true)
                _ = AnswerAsync(await broker.AcceptSocketAsync());
        }
        async Task AnswerAsync(Socket client)
        {
            var packet = new byte[1024];
            await client.ReceiveAsync(packet);
            await client.SendAsync(new byte[] { 0x20, 2, (byte)(isPresent(packet) ? 1 : 0), 0 });
        }
    }

    private static async Task<(int Code, TestScreen Screen)> RunAsync(string faults, params string[] arguments)
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Broker = new BrokerOptions { Faults = FaultPlan.Parse(faults, "test") } }
        );
        var (code, screen) = await TestTool.RunAsync(["check", "--broker", $"mqtt://{broker.Address}", .. arguments]);
        return (code, screen);
    }
}
