using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;

namespace MqttCheck.Brokers.Tests.Processes;

[Platform("Linux,MacOsX")]
public sealed class BrokerLauncherTests
{
    private static readonly BrokerLauncher Launcher = new(new BrokerLaunchOptions());

    [TestCase("mosquitto", "mosquitto", "default", 2)]
    [TestCase("mosquitto:tuned", "mosquitto", "tuned", 2)]
    [TestCase("nats", "nats-server", "default", 1)]
    [TestCase("nats:tuned", "nats-server", "tuned", 1)]
    [TestCase("ejabberd", "ejabberdctl", "default", 2)]
    [TestCase("ejabberd:tuned", "ejabberdctl", "tuned", 2)]
    [TestCase("rabbitmq", "rabbitmq-server", "default", 1, Category = "Slow")]
    public async Task An_installed_broker_starts_on_a_free_port_accepts_clients_and_leaves_nothing_behind(
        string name, string command, string settings, int maximumQos)
    {
        Installed.Require(command);
        var directoriesBefore = Directories();
        int id;
        IPEndPoint address;
        await using (var broker = await StartAsync(name))
        {
            id = broker.ProcessId!.Value;
            address = broker.Address;
            Assert.That(broker.Failure, Is.Null);
            Assert.That(broker.Description.Name, Is.EqualTo(name));
            Assert.That(broker.Description.Version, Does.Match(@"^\d+\.\d+"));
            Assert.That((broker.Description.Settings, broker.Description.MaximumQos), Is.EqualTo((settings, maximumQos)));
            Assert.That(await Ask(address, broker.Credentials), Is.Null, "a client is accepted");
            Assert.That(ProcessUsage.Read(id)?.ResidentBytes, OperatingSystem.IsLinux() ? Is.GreaterThan(1 << 20) : Is.Null);
        }
        Assert.That(IsRunning(id), Is.False);
        Assert.That(await Ask(address, null), Does.Contain("not listen"));
        Assert.That(Directories(), Is.EqualTo(directoriesBefore));
    }

    [Test]
    public async Task Brokers_run_side_by_side()
    {
        Installed.Require("mosquitto");
        var brokers = await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => StartAsync("mosquitto")));
        Assert.That(brokers.Select(broker => broker.Address.Port).Distinct().Count(), Is.EqualTo(3));
        foreach (var broker in brokers) await broker.DisposeAsync();
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
        Assert.That(broker.Description.Name, Is.EqualTo("exec:mosquitto -p {port}"));
        Assert.That(broker.Description.Settings, Is.EqualTo("unknown"));
        Assert.That(await Ask(broker.Address, null), Is.Null);
    }

    [Test]
    public void A_program_that_ends_at_once_is_told_with_what_it_printed()
    {
        var failure = Assert.ThrowsAsync<BrokerException>(() => StartAsync("exec:sh -c 'echo no licence for {port}; exit 7'"));
        Assert.That(failure!.Message, Does.Contain("exit code 7").And.Contain("no licence for"));
    }

    [Test]
    public void A_program_that_is_not_installed_is_told()
    {
        var failure = Assert.ThrowsAsync<BrokerException>(() => StartAsync("exec:no-such-broker {port}"));
        Assert.That(failure!.Message, Does.Contain("'no-such-broker' is not installed"));
    }

    [Test]
    public void A_program_that_never_serves_is_given_up_and_stopped()
    {
        var launcher = new BrokerLauncher(new BrokerLaunchOptions { StartTimeout = TimeSpan.FromMilliseconds(100) });
        var before = Directories();
        var failure = Assert.ThrowsAsync<BrokerException>(
            () => launcher.StartAsync(BrokerSpecification.Parse("exec:sh -c 'echo thinking; exec sleep 60' {port}"), CancellationToken.None));
        Assert.That(failure!.Message, Does.Contain("0.1 s").And.Contain("does not listen").And.Contain("thinking"));
        Assert.That(Directories(), Is.EqualTo(before));
    }

    [Test]
    public void Giving_up_while_a_broker_starts_leaves_nothing_behind()
    {
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));
        var before = Directories();
        Assert.That(
            async () => await Launcher.StartAsync(BrokerSpecification.Parse("exec:sleep 60{port}"), cancellation.Token),
            Throws.InstanceOf<OperationCanceledException>());
        Assert.That(Directories(), Is.EqualTo(before));
    }

    [Test]
    public async Task A_running_broker_is_reached_and_goes_on()
    {
        Installed.Require("mosquitto");
        await using var running = await StartAsync("mosquitto");
        await using (var broker = await StartAsync($"mqtt://localhost:{running.Address.Port}"))
        {
            Assert.That(IPAddress.IsLoopback(broker.Address.Address), Is.True);
            Assert.That(broker.Address.Port, Is.EqualTo(running.Address.Port));
            Assert.That((broker.ProcessId, broker.Failure), Is.EqualTo(((int?)null, (string?)null)));
            Assert.That(broker.Description.Settings, Is.EqualTo("unknown"));
        }
        Assert.That(await Ask(running.Address, null), Is.Null);
    }

    [Test]
    public async Task Wrong_credentials_are_told_and_not_repeated()
    {
        Installed.Require("ejabberdctl");
        await using var running = await StartAsync("ejabberd");
        var launcher = new BrokerLauncher(new BrokerLaunchOptions { Credentials = new Credentials("anna", "s3cret") });
        var failure = Assert.ThrowsAsync<BrokerException>(
            () => launcher.StartAsync(BrokerSpecification.Parse($"mqtt://127.0.0.1:{running.Address.Port}"), CancellationToken.None));
        Assert.That(failure!.Message, Does.Contain("user name or password").And.Not.Contain("anna").And.Not.Contain("s3cret"));
    }

    [Test]
    public void A_broker_on_another_machine_needs_permission()
    {
        // An address of the documentation range: it is refused before anything is sent.
        var failure = Assert.ThrowsAsync<InputException>(() => StartAsync("mqtt://192.0.2.1"));
        Assert.That(failure!.Message, Does.Contain("192.0.2.1").And.Contain("--allow-remote"));
    }

    [Test]
    public void An_address_where_nobody_listens_is_told()
    {
        var failure = Assert.ThrowsAsync<BrokerException>(() => StartAsync($"mqtt://127.0.0.1:{FreePort.Find()}"));
        Assert.That(failure!.Message, Does.Contain("does not listen"));
    }

    [TestCase("HTTP/1.1 400 Bad Request\r\n\r\n", "something else than CONNACK")]
    [TestCase("", "closed the connection")]
    public async Task A_server_that_does_not_speak_mqtt_is_told(string answer, string expected)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var served = ServeOnce(listener, answer);
        var failure = Assert.ThrowsAsync<BrokerException>(() => StartAsync($"mqtt://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}"));
        Assert.That(failure!.Message, Does.Contain(expected));
        await served;
    }

    [Test]
    public async Task The_embedded_broker_is_a_program_that_announces_its_address()
    {
        // Any broker behind an announcement will do.
        Installed.Require("mosquitto");
        await using var running = await StartAsync("mosquitto");
        var program = new BrokerCommand("/bin/sh", ["-c", $"echo listening on {running.Address}; exec cat"]);
        var launcher = new BrokerLauncher(new BrokerLaunchOptions { EmbeddedCommand = program, EmbeddedDetails = new Dictionary<string, string> { ["delay"] = "none" } });
        int id;
        await using (var broker = await launcher.StartAsync(BrokerSpecification.Parse("embedded"), CancellationToken.None))
        {
            id = broker.ProcessId!.Value;
            Assert.That(broker.Address, Is.EqualTo(running.Address));
            Assert.That((broker.Description.Name, broker.Description.Details["delay"], broker.Failure), Is.EqualTo(("embedded", "none", (string?)null)));
            Assert.That(IsRunning(id), Is.True);
        }
        Assert.That(IsRunning(id), Is.False);
    }

    [TestCase("echo ready; exec cat", "'listening on ADDRESS:PORT'")]
    [TestCase("echo the port is in use >&2; exit 3", "exit code 3")]
    [TestCase("exec cat", "within 0.2 s")]
    public void An_embedded_broker_that_announces_nothing_is_told(string script, string expected)
    {
        var launcher = new BrokerLauncher(new BrokerLaunchOptions
        {
            EmbeddedCommand = new BrokerCommand("/bin/sh", ["-c", script]),
            StartTimeout = TimeSpan.FromSeconds(0.2),
        });
        var failure = Assert.ThrowsAsync<BrokerException>(() => launcher.StartAsync(BrokerSpecification.Parse("embedded"), CancellationToken.None));
        Assert.That(failure!.Message, Does.Contain(expected));
    }

    private static Task<IBrokerUnderTest> StartAsync(string name) => Launcher.StartAsync(BrokerSpecification.Parse(name), CancellationToken.None);

    private static Task<string?> Ask(IPEndPoint address, Credentials? credentials) =>
        ConnectionProbe.AskAsync(address, credentials, TimeSpan.FromSeconds(5), CancellationToken.None);

    private static async Task ServeOnce(TcpListener listener, string answer)
    {
        using var socket = await listener.AcceptSocketAsync();
        await socket.ReceiveAsync(new byte[1024]);
        await socket.SendAsync(System.Text.Encoding.ASCII.GetBytes(answer));
    }

    private static string[] Directories() => Directory.GetDirectories(Path.GetTempPath(), "mqttcheck-*");

    private static bool IsRunning(int id)
    {
        try
        {
            using var process = Process.GetProcessById(id);
            return !process.HasExited;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }
}
