using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Processes;

[Platform("Linux,MacOsX")]
public sealed class BrokerLauncherTests
{
    private static readonly BrokerLauncher Launcher = new(new BrokerLaunchOptions());

    private string? _temporaryDirectories;
    private DirectoryInfo _ours = null!;

    // A place of our own for temporary directories, so that nobody else's are taken for ours.
    [SetUp]
    public void Redirect()
    {
        _temporaryDirectories = Environment.GetEnvironmentVariable("TMPDIR");
        _ours = Directory.CreateTempSubdirectory("mqttcheck-tests-");
        Environment.SetEnvironmentVariable("TMPDIR", _ours.FullName);
    }

    [TearDown]
    public void Restore()
    {
        Environment.SetEnvironmentVariable("TMPDIR", _temporaryDirectories);
        _ours.Delete(recursive: true);
    }

    [Test]
    public async Task Brokers_run_side_by_side()
    {
        Installed.Require("mosquitto");
        var brokers = await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => StartAsync("mosquitto")));
        Assert.That(brokers.Select(broker => broker.Address.Port).Distinct().Count(), Is.EqualTo(3));
        foreach (var broker in brokers)
            await broker.DisposeAsync();
    }

    [Test]
    public async Task A_broker_that_dies_says_so()
    {
        Installed.Require("mosquitto");
        await using var broker = await StartAsync("mosquitto");
        using var process = Process.GetProcessById(broker.ProcessId!.Value);
        process.Kill();
        Assert.That(() => broker.Failure, Does.Contain("mosquitto").And.Contain("exit code 137").After(10_000, 10));
    }

    [Test]
    public async Task A_command_of_the_user_gets_the_port()
    {
        Installed.Require("mosquitto");
        await using var broker = await StartAsync("exec:mosquitto -p {port}");
        Assert.That(
            (broker.Description.Name, broker.Description.Settings),
            Is.EqualTo(("exec:mosquitto -p {port}", "unknown"))
        );
        Assert.That(await Ask(broker.Address, null), Is.Null);
    }

    [TestCase("exec:sh -c 'echo no licence for {port}; exit 7'", "exit code 7", "no licence for")]
    [TestCase("exec:no-such-broker {port}", "'no-such-broker' is not installed", "")]
    [TestCase("mqtt://127.0.0.1:1", "does not listen", "", Description = "Nobody may listen at a port below 1024.")]
    [TestCase("embedded", "embedded", "brings none", Description = "This program does not bring it.")]
    [TestCase("mqttnet:tuned", "mqttnet:tuned", "brings none")]
    public void What_cannot_be_started_is_told_with_the_reason(string name, string reason, string more) =>
        Assert.That(
            () => StartAsync(name),
            Throws.TypeOf<BrokerException>().With.Message.Contains(reason).And.Message.Contains(more)
        );

    // An address of the documentation range: it is refused before anything is sent.
    [Test]
    public void A_broker_on_another_machine_needs_permission() =>
        Assert.That(
            () => StartAsync("mqtt://192.0.2.1"),
            Throws.TypeOf<InputException>().With.Message.Contains("192.0.2.1").And.Message.Contains("--allow-remote")
        );

    [Test]
    public void A_program_that_never_serves_is_given_up_and_stopped()
    {
        var launcher = new BrokerLauncher(new BrokerLaunchOptions { StartTimeout = TimeSpan.FromMilliseconds(100) });
        Assert.That(
            () =>
                launcher.StartAsync(
                    BrokerSpecification.Parse("exec:sh -c 'echo thinking; exec sleep 60' {port}"),
                    CancellationToken.None
                ),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Contains("0.1 s")
                .And.Message.Contains("does not listen")
                .And.Message.Contains("thinking")
        );
        Assert.That(Directory.GetFileSystemEntries(Path.GetTempPath()), Is.Empty);
    }

    [Test]
    public void Giving_up_while_a_broker_starts_leaves_nothing_behind()
    {
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));
        Assert.That(
            async () => await Launcher.StartAsync(BrokerSpecification.Parse("exec:sleep 60{port}"), cancellation.Token),
            Throws.InstanceOf<OperationCanceledException>()
        );
        Assert.That(Directory.GetFileSystemEntries(Path.GetTempPath()), Is.Empty);
    }

    [Test]
    public async Task A_running_broker_is_reached_and_goes_on()
    {
        Installed.Require("mosquitto");
        await using var running = await StartAsync("mosquitto");
        await using (var broker = await StartAsync($"mqtt://localhost:{running.Address.Port}"))
        {
            Assert.That(IPAddress.IsLoopback(broker.Address.Address), Is.True);
            Assert.That(
                (broker.Address.Port, broker.ProcessId, broker.Failure, broker.Description.Settings),
                Is.EqualTo((running.Address.Port, (int?)null, (string?)null, "unknown"))
            );
        }
        Assert.That(await Ask(running.Address, null), Is.Null);
    }

    [Test]
    public async Task Wrong_credentials_are_told_and_not_repeated()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        // CONNACK with code 5, not authorized.
        var served = ServeOnce(listener, [0x20, 2, 0, 5]);
        var launcher = new BrokerLauncher(new BrokerLaunchOptions { Credentials = new Credentials("anna", "s3cret") });
        Assert.That(
            () =>
                launcher.StartAsync(
                    BrokerSpecification.Parse($"mqtt://{listener.LocalEndpoint}"),
                    CancellationToken.None
                ),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Contains("user name or password")
                .And.Message.Contains("code 5")
                .And.Message.Not.Contains("anna")
                .And.Message.Not.Contains("s3cret")
        );
        await served;
    }

    [TestCase("HTTP/1.1 400 Bad Request\r\n\r\n", "something else than CONNACK")]
    [TestCase("", "closed the connection")]
    public async Task A_server_that_does_not_speak_mqtt_is_told(string answer, string expected)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var served = ServeOnce(listener, System.Text.Encoding.ASCII.GetBytes(answer));
        Assert.That(
            () => StartAsync($"mqtt://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}"),
            Throws.TypeOf<BrokerException>().With.Message.Contains(expected)
        );
        await served;
    }

    [Test]
    public async Task The_embedded_broker_is_a_program_that_announces_its_address()
    {
        // Any broker behind an announcement will do.
        Installed.Require("mosquitto");
        await using var running = await StartAsync("mosquitto");
        var program = new BrokerCommand("/bin/sh", ["-c", $"echo listening on {running.Address}; exec cat"]);
        var hosted = new HostedBroker(_ => program, "1.2.3", new Dictionary<string, string> { ["delay"] = "none" });
        var launcher = new BrokerLauncher(new BrokerLaunchOptions { Hosted = _ => hosted });
        int id;
        await using (
            var broker = await launcher.StartAsync(BrokerSpecification.Parse("embedded"), CancellationToken.None)
        )
        {
            id = broker.ProcessId!.Value;
            Assert.That(broker.Address, Is.EqualTo(running.Address));
            Assert.That(
                (
                    broker.Description.Name,
                    broker.Description.Version,
                    broker.Description.Details["delay"],
                    broker.Failure
                ),
                Is.EqualTo(("embedded", "1.2.3", "none", (string?)null))
            );
            Assert.That(LiveProcess.Exists(id), Is.True);
        }
        Assert.That(LiveProcess.Exists(id), Is.False);
    }

    [TestCase("echo ready; exec cat", "'listening on ADDRESS:PORT'")]
    [TestCase("echo the port is in use >&2; exit 3", "exit code 3")]
    [TestCase("exec cat", "within 0.2 s")]
    public void An_embedded_broker_that_announces_nothing_is_told(string script, string expected)
    {
        var launcher = new BrokerLauncher(
            new BrokerLaunchOptions
            {
                Hosted = _ =>
                    new(_ => new BrokerCommand("/bin/sh", ["-c", script]), "1.2.3", new Dictionary<string, string>()),
                StartTimeout = TimeSpan.FromSeconds(0.2),
            }
        );
        Assert.That(
            () => launcher.StartAsync(BrokerSpecification.Parse("embedded"), CancellationToken.None),
            Throws.TypeOf<BrokerException>().With.Message.Contains(expected)
        );
    }

    private static Task<IBrokerUnderTest> StartAsync(string name) =>
        Launcher.StartAsync(BrokerSpecification.Parse(name), CancellationToken.None);

    private static Task<string?> Ask(IPEndPoint address, Credentials? credentials) =>
        ConnectionProbe.AskAsync(
            new WireEndpoint(address),
            credentials,
            TimeSpan.FromSeconds(5),
            CancellationToken.None
        );

    private static async Task ServeOnce(TcpListener listener, byte[] answer)
    {
        using var socket = await listener.AcceptSocketAsync();
        await socket.ReceiveAsync(new byte[1024]);
        await socket.SendAsync(answer);
    }
}
