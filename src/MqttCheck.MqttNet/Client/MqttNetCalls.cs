using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MQTTnet;

namespace MqttCheck.MqttNet.Client;

/// <summary>
/// The calls of one client. Each call is stamped, and its result or failure goes to the loop exactly once. It carries
/// the time at which an application that awaits the task would continue.
/// </summary>
/// <param name="wire">Takes the ends of calls.</param>
/// <param name="connection">The client's connection.</param>
/// <param name="client">The client.</param>
internal sealed class MqttNetCalls(MqttNetWire wire, MqttNetConnection connection, IMqttClient client)
{
    /// <summary>How many calls have not ended, as far as the loop knows.</summary>
    public int UnderWay { get; private set; }

    /// <summary>Whether an event of a client is the end of a call.</summary>
    /// <param name="kind">The kind of the event.</param>
    public static bool IsEndOfCall(MqttNetEventKind kind) =>
        kind is not (MqttNetEventKind.Ready or MqttNetEventKind.Message or MqttNetEventKind.Disconnected);

    /// <summary>The loop has handled the end of a call.</summary>
    public void Ended() => UnderWay--;

    /// <summary>Connects.</summary>
    /// <param name="options">How.</param>
    /// <param name="timeout">How long it may take.</param>
    public SendStamp Connect(MqttClientOptions options, TimeSpan timeout)
    {
        var limit = new CancellationTokenSource(timeout);
        return Call(
            () => client.ConnectAsync(options, limit.Token),
            new(connection, MqttNetEventKind.Connected, 0),
            MqttNetEventKind.ConnectFailed,
            limit
        );
    }

    /// <summary>Publishes.</summary>
    /// <param name="message">The message.</param>
    /// <param name="packetId">The identifier that the handler gave it.</param>
    /// <param name="qos">Its quality of service.</param>
    public SendStamp Publish(MqttApplicationMessage message, ushort packetId, QualityOfService qos)
    {
        // The call is written out, because it is the most frequent one.
        Task<MqttClientPublishResult> task;
        UnderWay++;
        var before = MonotonicClock.NowNanoseconds;
        try
        {
            task = client.PublishAsync(message);
        }
        catch (Exception exception)
        {
            task = Task.FromException<MqttClientPublishResult>(exception);
        }
        var after = MonotonicClock.NowNanoseconds;
        // Nothing answers QoS 0, so its call is usually over when it returns.
        if (qos == QualityOfService.AtMostOnce && task.IsCompletedSuccessfully)
            UnderWay--;
        else
            _ = WatchAsync(
                task,
                new(connection, MqttNetEventKind.Published, 0) { PacketId = packetId, Qos = qos },
                MqttNetEventKind.Failed,
                null
            );
        return Stamp(before, after);
    }

    /// <summary>Subscribes.</summary>
    /// <param name="options">The subscriptions.</param>
    /// <param name="packetId">The identifier that the handler gave the request.</param>
    public SendStamp Subscribe(MqttClientSubscribeOptions options, ushort packetId) =>
        Call(
            () => client.SubscribeAsync(options),
            new(connection, MqttNetEventKind.Subscribed, 0) { PacketId = packetId },
            MqttNetEventKind.Failed
        );

    /// <summary>Ends subscriptions.</summary>
    /// <param name="options">The filters.</param>
    /// <param name="packetId">The identifier that the handler gave the request.</param>
    public SendStamp Unsubscribe(MqttClientUnsubscribeOptions options, ushort packetId) =>
        Call(
            () => client.UnsubscribeAsync(options),
            new(connection, MqttNetEventKind.Unsubscribed, 0) { PacketId = packetId },
            MqttNetEventKind.Failed
        );

    /// <summary>Pings.</summary>
    public SendStamp Ping() =>
        Call(
            () => ResultOfAsync(client.PingAsync()),
            new(connection, MqttNetEventKind.Pinged, 0),
            MqttNetEventKind.Failed
        );

    /// <summary>Disconnects.</summary>
    /// <param name="options">How.</param>
    public SendStamp Disconnect(MqttClientDisconnectOptions options) =>
        Call(
            () => ResultOfAsync(client.DisconnectAsync(options)),
            new(connection, MqttNetEventKind.Left, 0),
            MqttNetEventKind.Left
        );

    private static SendStamp Stamp(long before, long after) => new(before, after - before) { IsCall = true };

    private static async Task<object?> ResultOfAsync(Task task)
    {
        await task.ConfigureAwait(false);
        return null;
    }

    private SendStamp Call<TResult>(
        Func<Task<TResult>> call,
        in MqttNetEvent end,
        MqttNetEventKind failure,
        IDisposable? until = null
    )
    {
        Task<TResult> task;
        UnderWay++;
        var before = MonotonicClock.NowNanoseconds;
        try
        {
            task = call();
        }
        catch (Exception exception)
        {
            // Some calls throw instead of returning a failed task.
            task = Task.FromException<TResult>(exception);
        }
        var after = MonotonicClock.NowNanoseconds;
        _ = WatchAsync(task, end, failure, until);
        return Stamp(before, after);
    }

    private async Task WatchAsync<TResult>(
        Task<TResult> task,
        MqttNetEvent end,
        MqttNetEventKind failure,
        IDisposable? until
    )
    {
        try
        {
            var result = await task.ConfigureAwait(false);
            end = end with { Nanoseconds = MonotonicClock.NowNanoseconds, Value = result };
        }
        catch (Exception exception)
        {
            // All exceptions are caught. An unobserved exception would end the process of an application, and an
            // unreported call would be lost.
            end = new(connection, failure, MonotonicClock.NowNanoseconds) { Value = exception };
        }
        until?.Dispose();
        wire.Add(end);
    }
}
