using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.MqttNet.Server;
using MQTTnet;
using MQTTnet.Protocol;

namespace MqttCheck.MqttNet.Tests.Server;

public sealed class MqttNetServerTests
{
    private static readonly IPEndPoint s_free = new(IPAddress.Loopback, 0);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    [Test]
    public async Task It_serves_a_free_port_until_it_is_disposed([Values] bool isTuned)
    {
        var server = await MqttNetServer.StartAsync(s_free, isTuned);
        Assert.That(
            (server.Address.Address, server.Address.Port > 0, server.Failure),
            Is.EqualTo((IPAddress.Loopback, true, (string?)null))
        );
        var arrived = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var client = new MqttClientFactory().CreateMqttClient();
        client.ApplicationMessageReceivedAsync += received =>
        {
            arrived.TrySetResult(received.ApplicationMessage.ConvertPayloadToString());
            return Task.CompletedTask;
        };
        await client.ConnectAsync(Options(server.Address));
        await client.SubscribeAsync("a/#", MqttQualityOfServiceLevel.ExactlyOnce);
        await client.PublishStringAsync("a/b", "hello", MqttQualityOfServiceLevel.ExactlyOnce);
        Assert.That(await arrived.Task.WaitAsync(s_patience), Is.EqualTo("hello"));
        await server.DisposeAsync();
        Assert.That(server.Failure, Is.Not.Null);
        Assert.That(async () => await client.ConnectAsync(Options(server.Address)), Throws.Exception);
    }

    [TestCase(false, "mqttnet", "default")]
    [TestCase(true, "mqttnet:tuned", "tuned")]
    public async Task It_keeps_sessions_and_its_description_says_how_it_is_set(
        bool isTuned,
        string name,
        string settings
    )
    {
        await using var server = await MqttNetServer.StartAsync(s_free, isTuned);
        var description = server.Description;
        Assert.That(
            (description.Name, description.Settings, description.Version),
            Is.EqualTo((name, settings, MqttNetSettings.Version))
        );
        Assert.That(description.Details, Is.EquivalentTo(MqttNetSettings.Describe(isTuned)));
        foreach (var isSecond in (bool[])[false, true])
        {
            using var client = new MqttClientFactory().CreateMqttClient();
            var answer = await client.ConnectAsync(Options(server.Address));
            Assert.That(answer.IsSessionPresent, Is.EqualTo(isSecond));
            await client.DisconnectAsync();
            if (!isSecond)
                await WaitUntilGoneAsync(server);
        }
    }

    [Test]
    public async Task A_port_that_is_taken_is_told_with_what_to_do()
    {
        await using var first = await MqttNetServer.StartAsync(s_free, isTuned: false);
        var failure = Assert.ThrowsAsync<BrokerException>(() =>
            MqttNetServer.StartAsync(first.Address, isTuned: false)
        );
        Assert.That(failure!.Message, Does.Contain(first.Address.ToString()).And.Contain("another port"));
    }

    private static MqttClientOptions Options(IPEndPoint address) =>
        new MqttClientOptionsBuilder()
            .WithTcpServer(address.Address.ToString(), address.Port)
            .WithClientId("lasting")
            .WithCleanSession(false)
            .WithSessionExpiryInterval(3600)
            .WithTimeout(s_patience)
            .Build();

    // The server drops the connection of a client some time after its DISCONNECT.
    private static async Task WaitUntilGoneAsync(MqttNetServer server)
    {
        using var timeout = new CancellationTokenSource(s_patience);
        while (await server.ConnectedClientsAsync() > 0)
            await Task.Delay(5, timeout.Token);
    }
}
