using System.Globalization;
using MQTTnet;
using MQTTnet.Formatter;
using MQTTnet.Protocol;

namespace MqttCheck.Conformance.Tests.Roles;

/// <summary>A client of MQTTnet: twelve messages on each connection, then a rest.</summary>
internal static class MqttNetClient
{
    private const int MessagesOfConnection = 12;
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(30);

    public static async Task RunAsync(int port, bool isV5)
    {
        using var client = new MqttClientFactory().CreateMqttClient();
        var options = new MqttClientOptionsBuilder()
            .WithTcpServer("127.0.0.1", port)
            .WithClientId("mqttnet")
            .WithCleanSession(false)
            .WithKeepAlivePeriod(TimeSpan.FromSeconds(2));
        options = isV5
            ? options.WithProtocolVersion(MqttProtocolVersion.V500).WithSessionExpiryInterval(1000)
            : options.WithProtocolVersion(MqttProtocolVersion.V311);
        var number = 0;
        while (true)
        {
            try
            {
                await client.ConnectAsync(options.Build());
                await client.SubscribeAsync("t/#", MqttQualityOfServiceLevel.ExactlyOnce);
                for (var left = MessagesOfConnection; left > 0; left--)
                {
                    await Task.Delay(s_pause);
                    // A message without acknowledgement must not keep the others back.
                    _ = PublishAsync(client, ++number);
                }
                while (client.IsConnected)
                    await Task.Delay(s_pause);
            }
            catch (Exception exception) when (exception is not OutOfMemoryException)
            {
                await Console.Error.WriteLineAsync(exception.Message);
            }
            await Task.Delay(s_pause);
        }
    }

    private static async Task PublishAsync(IMqttClient client, int number)
    {
        try
        {
            await client.PublishStringAsync(
                "t/of/the/client",
                string.Create(CultureInfo.InvariantCulture, $"message {number}"),
                1 + number % 2 == 1 ? MqttQualityOfServiceLevel.AtLeastOnce : MqttQualityOfServiceLevel.ExactlyOnce,
                retain: number % 5 == 0
            );
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // The connection ended, and the client connects again.
        }
    }
}
