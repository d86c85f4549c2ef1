using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Launching;
using MQTTnet;

namespace MqttCheck.LiveClusters.Tests.Recipes;

/// <summary>Mosquitto with a bridge to another broker, seen by a client that nobody here wrote (MQTTnet).</summary>
[Platform("Linux,MacOsX")]
internal sealed class MixedBridgesTests
{
    [Test]
    [Category("Whole")]
    public async Task A_bridge_leads_to_RabbitMQ()
    {
        Installed.Require("mosquitto");
        Installed.Require("rabbitmq-server");
        await using var cluster = await StartAsync(new() { Name = "b", Broker = BridgePeer.RabbitMq });
        await RequireCrossingAsync(cluster);
    }

    [Test]
    [Category("Whole")]
    public async Task A_bridge_leads_to_a_broker_that_a_command_starts()
    {
        Installed.Require("mosquitto");
        await using var cluster = await StartAsync(new() { Name = "b", Command = "mosquitto -p {port}" });
        await RequireCrossingAsync(cluster);
    }

    [Test]
    [Category("Whole")]
    public async Task A_bridge_leads_to_a_broker_that_runs_and_outlives_the_cluster()
    {
        Installed.Require("mosquitto");
        await using var other = await new BrokerLauncher(new()).StartAsync(
            BrokerSpecification.Parse("mosquitto"),
            CancellationToken.None
        );
        await using (var cluster = await StartAsync(new() { Name = "b", Address = $"mqtt://{other.Address}" }))
        {
            await RequireCrossingAsync(cluster);
            Assert.That(
                () => cluster.KillAsync(1),
                Throws.TypeOf<BrokerException>().With.Message.Contains("b runs already")
            );
        }
        using var client = await ConnectAsync(other.Address);
        Assert.That(client.IsConnected);
    }

    [TestCase(BridgePeer.Emqx, "EMQX")]
    [TestCase(BridgePeer.AwsIot, "AWS IoT Core")]
    public void A_broker_that_cannot_be_started_is_refused_with_what_to_do(BridgePeer peer, string name) =>
        Assert.That(
            async () => await StartAsync(new() { Name = "b", Broker = peer }),
            Throws.TypeOf<InputException>().With.Message.Contains($"node b is {name}, which is not started here")
        );

    private static Task<IClusterUnderTest> StartAsync(TopologyNode other) =>
        new ClusterLauncher(new ClusterLaunchOptions()).StartAsync(
            new Topology
            {
                Name = "mixed",
                System = ClusterSystem.MosquittoBridge,
                KeepAliveSeconds = 60,
                Nodes = [new() { Name = "a" }, other],
                Links =
                [
                    new()
                    {
                        From = 0,
                        To = 1,
                        Topics = [new("up/#", BridgeDirection.Out, Protocol.QualityOfService.AtLeastOnce, "", "")],
                    },
                ],
            },
            CancellationToken.None
        );

    private static async Task RequireCrossingAsync(IClusterUnderTest cluster)
    {
        using var receiver = await ConnectAsync(cluster.EndpointOf(1)!.Address);
        using var sender = await ConnectAsync(cluster.EndpointOf(0)!.Address);
        var came = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        receiver.ApplicationMessageReceivedAsync += message =>
        {
            came.TrySetResult(message.ApplicationMessage.Topic);
            return Task.CompletedTask;
        };
        await receiver.SubscribeAsync("up/+");
        await sender.PublishStringAsync("up/1", "x");
        Assert.That(await came.Task.WaitAsync(TimeSpan.FromSeconds(30)), Is.EqualTo("up/1"));
        Assert.That((await cluster.CountersAsync(0, 1)).DataPublications, Is.EqualTo(1));
    }

    private static async Task<IMqttClient> ConnectAsync(IPEndPoint address)
    {
        var client = new MqttClientFactory().CreateMqttClient();
        await client.ConnectAsync(
            new MqttClientOptionsBuilder()
                .WithProtocolVersion(MQTTnet.Formatter.MqttProtocolVersion.V311)
                .WithTcpServer(address.Address.ToString(), address.Port)
                .Build()
        );
        return client;
    }
}
