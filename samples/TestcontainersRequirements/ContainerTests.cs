using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Containers;
using MqttCheck.NUnit;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;

namespace TestcontainersRequirements;

/// <summary>
/// The broker in a container of its own. Where no container engine answers the test is ignored, and says so.
/// </summary>
[TestFixture]
public sealed class ContainerTests
{
    // Sixty devices that report ten times a second.
    private static readonly UsageProfile s_devices = new()
    {
        Name = "devices",
        WaitMilliseconds = new UniformLaw(0, 200),
        Weights = new(Connect: 1, Disconnect: 1, Publish: 8, Subscribe: 1, Unsubscribe: 1),
    };

    private const ushort Port = 1883;

    private IContainer? _container;

    [OneTimeSetUp]
    public async Task StartAsync()
    {
        try
        {
            _container = new ContainerBuilder("eclipse-mosquitto:2")
                .WithCommand("mosquitto", "-c", "/mosquitto-no-auth.conf")
                .WithPortBinding(Port, assignRandomHostPort: true)
                .WithWaitStrategy(Wait.ForUnixContainer().UntilInternalTcpPortIsAvailable(Port))
                .Build();
            await _container.StartAsync();
        }
        catch (DockerUnavailableException)
        {
            Assert.Ignore(
                "Not run: no container engine answers. Start Docker or Podman, or set DOCKER_HOST to one that runs."
            );
        }
    }

    [OneTimeTearDown]
    public async Task EndAsync()
    {
        if (_container is not null)
            await _container.DisposeAsync();
    }

    [Test, CancelAfter(120_000)]
    public async Task Publish_is_acknowledged_in_time(CancellationToken cancellation)
    {
        await using var broker = await Broker.From(
            $"mqtt://{_container!.Hostname}:{_container.GetMappedPublicPort(Port)}",
            cancellation: cancellation
        );
        await Assert.ThatAsync(
            () => broker.Measure(s_devices, clients: 60),
            Meets.Acknowledgement(below: 100.Milliseconds(), probability: 0.9)
        );
    }
}
