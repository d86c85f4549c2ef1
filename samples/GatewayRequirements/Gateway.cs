using System.Collections.Concurrent;
using System.Net;
using MQTTnet;
using MQTTnet.Formatter;
using MQTTnet.Protocol;

namespace GatewayRequirements;

/// <summary>Sends readings of sensors to the collector, and sends one again that is not answered in time.</summary>
public sealed class Gateway : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(300);

    private readonly IMqttClient _client = new MqttClientFactory().CreateMqttClient();
    private readonly ConcurrentDictionary<Guid, TaskCompletionSource> _unanswered = [];
    private readonly string _name;

    private Gateway(string name) => _name = name;

    private string Answers => $"plant/{_name}/answers";

    /// <summary>Connects a gateway.</summary>
    public static async Task<Gateway> ConnectAsync(IPEndPoint broker, string name, CancellationToken token = default)
    {
        var gateway = new Gateway(name);
        gateway._client.ApplicationMessageReceivedAsync += gateway.ReceiveAsync;
        var options = new MqttClientOptionsBuilder()
            .WithTcpServer(broker.Address.ToString(), broker.Port)
            .WithClientId(name)
            .WithProtocolVersion(MqttProtocolVersion.V500)
            .Build();
        await gateway._client.ConnectAsync(options, token);
        await gateway._client.SubscribeAsync(gateway.Answers, MqttQualityOfServiceLevel.AtLeastOnce, token);
        return gateway;
    }

    /// <summary>Sends a reading and waits for its answer.</summary>
    /// <param name="reading">The reading.</param>
    /// <param name="attempts">How many times it is sent at most.</param>
    /// <param name="token">Gives up.</param>
    /// <exception cref="TimeoutException">No attempt was answered.</exception>
    public async Task SendAsync(Reading reading, int attempts = 3, CancellationToken token = default)
    {
        var id = Guid.NewGuid();
        var answered = _unanswered[id] = new(TaskCreationOptions.RunContinuationsAsynchronously);
        try
        {
            for (var attempt = 0; attempt < attempts; attempt++)
            {
                await _client.PublishAsync(Message(reading, id), token);
                try
                {
                    await answered.Task.WaitAsync(s_patience, token);
                    return;
                }
                catch (TimeoutException)
                {
                    // The next attempt has the same id, so a late answer to this one counts too.
                }
            }
            throw new TimeoutException($"{attempts} attempts without an answer");
        }
        finally
        {
            _unanswered.TryRemove(id, out _);
        }
    }

    /// <summary>Disconnects.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_client.IsConnected)
            await _client.DisconnectAsync();
        _client.Dispose();
    }

    private MqttApplicationMessage Message(Reading reading, Guid id) =>
        new MqttApplicationMessageBuilder()
            .WithTopic($"plant/{_name}/readings")
            .WithPayload(reading.ToPayload())
            .WithQualityOfServiceLevel(MqttQualityOfServiceLevel.AtLeastOnce)
            .WithResponseTopic(Answers)
            .WithCorrelationData(id.ToByteArray())
            .Build();

    private Task ReceiveAsync(MqttApplicationMessageReceivedEventArgs received)
    {
        if (
            received.ApplicationMessage.CorrelationData is { Length: 16 } id
            && _unanswered.TryGetValue(new Guid(id), out var answered)
        )
            answered.TrySetResult();
        return Task.CompletedTask;
    }
}
