using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Aspire.Hosting;
using Aspire.Hosting.ApplicationModel;
using Aspire.Hosting.Testing;
using MqttCheck.NUnit;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing;

namespace AspireRequirements;

/// <summary>
/// A system that Aspire starts: Mosquitto as a program of this machine, without a container. The test asks Aspire for
/// the connection string, and the broker for its latency.
/// </summary>
[TestFixture]
[Category("mosquitto")]
public sealed class PlantTests
{
    // Sixty devices that report ten times a second.
    private static readonly UsageProfile s_devices = new()
    {
        Name = "devices",
        WaitMilliseconds = new UniformLaw(0, 200),
        Weights = new(Connect: 1, Disconnect: 1, Publish: 8, Subscribe: 1, Unsubscribe: 1),
    };

    [Test, CancelAfter(120_000)]
    public async Task Publish_is_acknowledged_in_time(CancellationToken cancellation)
    {
        var plant = DistributedApplicationTestingBuilder.Create();
        AddMosquitto(plant, "mqtt");
        await using var app = await plant.BuildAsync(cancellation);
        await app.StartAsync(cancellation);
        await using var broker = await Broker.From(
            (await app.GetConnectionStringAsync("mqtt", cancellation))!,
            cancellation: cancellation
        );
        await Assert.ThatAsync(
            () => broker.Measure(s_devices, clients: 60),
            Meets.Acknowledgement(below: 100.Milliseconds(), probability: 0.9)
        );
    }

    // Aspire's proxy in front of an endpoint would be measured too, so the broker has a port of its own.
    private static void AddMosquitto(IDistributedApplicationBuilder plant, string name)
    {
        var port = FreePort();
        var mosquitto = plant
            .AddExecutable("mosquitto", "mosquitto", AppContext.BaseDirectory)
            .WithArgs("-c", "mosquitto.conf", "-p", port.ToString(CultureInfo.InvariantCulture))
            .WithEndpoint(port: port, targetPort: port, scheme: "mqtt", name: "mqtt", isProxied: false);
        plant.AddConnectionString(
            name,
            ReferenceExpression.Create($"Endpoint={mosquitto.GetEndpoint("mqtt").Property(EndpointProperty.Url)}")
        );
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
