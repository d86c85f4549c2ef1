using System.Globalization;
using System.Net;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Launching;
using MQTTnet;
using MQTTnet.Adapter;
using MQTTnet.Exceptions;
using MQTTnet.Protocol;

namespace MqttCheck.LiveClusters.Tests.Launching;

/// <summary>aedes brokers on one Redis server, seen by a client that nobody here wrote (MQTTnet).</summary>
[Platform("Linux,MacOsX")]
[Category("Whole")]
[Parallelizable(ParallelScope.All)]
public sealed class SharedStoreTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    [Test]
    public async Task A_persistent_session_whose_node_is_killed_gets_what_was_published_meanwhile_at_the_other_node()
    {
        Installed.Require("redis-server");
        const int messages = 100;
        await using var cluster = await StartAsync();
        using (var early = new MqttClientFactory().CreateMqttClient())
        {
            await early.ConnectAsync(Options(cluster.EndpointOf(0)!.Address, "subscriber", isPersistent: true));
            await early.SubscribeAsync("store/test", MqttQualityOfServiceLevel.AtLeastOnce);
            await cluster.KillAsync(0);
        }
        using var publisher = new MqttClientFactory().CreateMqttClient();
        await publisher.ConnectAsync(Options(cluster.EndpointOf(1)!.Address, "publisher", isPersistent: false));
        for (var number = 0; number < messages; number++)
        {
            var text = number.ToString(CultureInfo.InvariantCulture);
            var result = await publisher.PublishStringAsync("store/test", text, MqttQualityOfServiceLevel.AtLeastOnce);
            Assert.That(result.IsSuccess);
        }

        using var late = new MqttClientFactory().CreateMqttClient();
        var came = new List<string>();
        late.ApplicationMessageReceivedAsync += message =>
        {
            lock (came)
                came.Add(message.ApplicationMessage.ConvertPayloadToString());
            return Task.CompletedTask;
        };
        await ComeBackAsync(late, Options(cluster.EndpointOf(1)!.Address, "subscriber", isPersistent: true));
        Assert.That(() => Count(), Is.EqualTo(messages).After(30).Seconds.PollEvery(50).MilliSeconds);
        // Each once. After a connection that MQTTnet ended, aedes sends what was not acknowledged behind the others.
        lock (came)
            Assert.That(came, Is.EquivalentTo(Enumerable.Range(0, messages).Select(number => $"{number}")));

        int Count()
        {
            lock (came)
                return came.Distinct().Count();
        }
    }

    // Aedes may send a stored message before CONNACK, which MQTT-3.2.0-1 forbids. MQTTnet ends the connection then, as
    // any client may, and comes back; what it did not acknowledge is sent again.
    private static async Task ComeBackAsync(IMqttClient client, MqttClientOptions options)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                var answer = await client.ConnectAsync(options);
                Assert.That(answer.IsSessionPresent, "the session is in the store");
                return;
            }
            catch (MqttConnectingFailedException early)
                when (early.InnerException is MqttProtocolViolationException && attempt < 20)
            {
                await TestContext.Out.WriteLineAsync(early.Message);
            }
        }
    }

    // The service is lost, and every wait ends: the run, the question whether a node is ready, and disposing.
    [Test]
    public async Task A_killed_store_is_a_lost_service_and_no_hang()
    {
        Installed.Require("redis-server");
        await using var cluster = await StartAsync();
        var store = Enumerable.Range(0, cluster.Topology.Nodes.Count).Except(cluster.Topology.Brokers).Single();
        await cluster.KillAsync(store);
        Assert.That(cluster.StateOf(store), Is.EqualTo(ClusterNodeState.Down));
        var problem = await cluster.WaitReadyAsync(0, TimeSpan.FromSeconds(2), CancellationToken.None);
        Assert.That(problem, Is.Not.Null, "a broker without its store serves nobody");
        await cluster.RestartAsync(store);
        foreach (var broker in cluster.Topology.Brokers)
        {
            // A broker may have ended for want of its store.
            await cluster.RestartAsync(broker);
            Assert.That(await cluster.WaitReadyAsync(broker, s_patience, CancellationToken.None), Is.Null);
        }
    }

    private static Task<IClusterUnderTest> StartAsync() =>
        new ClusterLauncher(new ClusterLaunchOptions()).StartAsync(
            TopologyFile.Read("aedes-redis-2"),
            CancellationToken.None
        );

    private static MqttClientOptions Options(IPEndPoint address, string id, bool isPersistent) =>
        new MqttClientOptionsBuilder()
            .WithTcpServer(address.Address.ToString(), address.Port)
            .WithProtocolVersion(MQTTnet.Formatter.MqttProtocolVersion.V311)
            .WithClientId(id)
            .WithCleanSession(!isPersistent)
            .Build();
}
