using System.Buffers;
using System.Collections.Concurrent;
using System.Net;
using MQTTnet;
using MQTTnet.Formatter;
using MQTTnet.Protocol;

namespace GatewayRequirements;

/// <summary>The service behind the broker: it stores readings and answers each of them.</summary>
public sealed class Collector : IAsyncDisposable
{
    private readonly IMqttClient _client = new MqttClientFactory().CreateMqttClient();
    private readonly ConcurrentDictionary<string, Reading> _latest = [];

    /// <summary>The latest reading of each sensor.</summary>
    public IReadOnlyDictionary<string, Reading> Latest => _latest;

    /// <summary>Connects and begins to listen.</summary>
    public static async Task<Collector> StartAsync(IPEndPoint broker, CancellationToken token = default)
    {
        var collector = new Collector();
        collector._client.ApplicationMessageReceivedAsync += collector.AnswerAsync;
        var options = new MqttClientOptionsBuilder()
            .WithTcpServer(broker.Address.ToString(), broker.Port)
            .WithClientId("collector")
            .WithProtocolVersion(MqttProtocolVersion.V500)
            .Build();
        await collector._client.ConnectAsync(options, token);
        await collector._client.SubscribeAsync("plant/+/readings", MqttQualityOfServiceLevel.AtLeastOnce, token);
        return collector;
    }

    /// <summary>Disconnects.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_client.IsConnected)
            await _client.DisconnectAsync();
        _client.Dispose();
    }

    private async Task AnswerAsync(MqttApplicationMessageReceivedEventArgs received)
    {
        var message = received.ApplicationMessage;
        if (
            Reading.FromPayload(message.Payload.ToArray()) is not { } reading
            || message.ResponseTopic is not { Length: > 0 } answers
        )
            return;
        _latest[reading.Sensor] = reading;
        // Whoever misses an answer asks again, so it need not be acknowledged.
        await _client.PublishAsync(
            new MqttApplicationMessageBuilder()
                .WithTopic(answers)
                .WithCorrelationData(message.CorrelationData)
                .WithQualityOfServiceLevel(MqttQualityOfServiceLevel.AtMostOnce)
                .Build()
        );
    }
}
