using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Processes;

// In parallel because some need seconds to start, most of which they wait.
[Platform("Linux,MacOsX")]
[Parallelizable(ParallelScope.All)]
public sealed class InstalledBrokerTests
{
    [TestCase("rabbitmq", "rabbitmq-server", "default", 1)]
    [TestCase("ejabberd", "ejabberdctl", "default", 2)]
    [TestCase("ejabberd:tuned", "ejabberdctl", "tuned", 2)]
    [TestCase("mosquitto", "mosquitto", "default", 2)]
    [TestCase("mosquitto:tuned", "mosquitto", "tuned", 2)]
    [TestCase("mosquitto:tls", "mosquitto", "default", 2)]
    [TestCase("mosquitto:tuned:tls", "mosquitto", "tuned", 2)]
    [TestCase("mosquitto:ws", "mosquitto", "default", 2)]
    [TestCase("mosquitto:tuned:wss", "mosquitto", "tuned", 2)]
    [TestCase("nats", "nats-server", "default", 1)]
    [TestCase("aedes", "node", "default", 2)]
    [TestCase("aedes:tuned", "node", "tuned", 2)]
    [TestCase("nats:tuned", "nats-server", "tuned", 1)]
    [Category("Whole")]
    public async Task An_installed_broker_starts_on_a_free_port_accepts_clients_and_leaves_nothing_behind(
        string name,
        string command,
        string settings,
        int maximumQos
    )
    {
        Installed.Require(command);
        if (name == "rabbitmq" && !Missing.IsContinuousIntegration)
            Assert.Ignore("Takes 10 s and more; set CI=true to run it.");
        var (version, howToInstall) = await BrokerLauncher.FindAsync(name.Split(':')[0], CancellationToken.None);
        if (version is null && !Missing.IsContinuousIntegration)
            Assert.Ignore(howToInstall);
        var launcher = new BrokerLauncher(new BrokerLaunchOptions());
        int id;
        IPEndPoint address;
        string directory;
        await using (
            var broker = (InstalledBroker)
                await launcher.StartAsync(BrokerSpecification.Parse(name), CancellationToken.None)
        )
        {
            id = broker.ProcessId!.Value;
            address = broker.Address;
            directory = broker.DirectoryPath;
            Assert.That(broker.Failure, Is.Null);
            Assert.That(broker.Description.Name, Is.EqualTo(name));
            Assert.That(broker.Description.Version, Does.Match(@"^\d+\.\d+"));
            Assert.That(
                (broker.Description.Settings, broker.Description.MaximumQos),
                Is.EqualTo((settings, maximumQos))
            );
            Assert.That(await Ask(broker.Endpoint, broker.Credentials), Is.Null, "a client is accepted");
            if (OperatingSystem.IsLinux())
                Assert.That(ProcessUsage.Read(id)!.Value.ResidentBytes, Is.GreaterThan(1 << 20));
            Assert.That(Directory.Exists(directory), Is.True);
        }
        Assert.That(LiveProcess.Exists(id), Is.False);
        Assert.That(await Ask(new WireEndpoint(address), null), Does.Contain("not listen"));
        Assert.That(Directory.Exists(directory), Is.False);
    }

    private static Task<string?> Ask(WireEndpoint endpoint, Credentials? credentials) =>
        ConnectionProbe.AskAsync(endpoint, credentials, TimeSpan.FromSeconds(5), CancellationToken.None);
}
