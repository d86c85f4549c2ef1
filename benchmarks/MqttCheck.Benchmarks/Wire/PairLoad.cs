using System.Diagnostics;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>Pairs of clients on one wire that exchange QoS 1 messages in a closed loop.</summary>
internal sealed class PairLoad(int pairs, int inFlight, int payloadBytes)
{
    private readonly List<(PairClient Client, WireConnection Connection)> _publishers = [];
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _notReady = 2 * pairs;

    public long Published { get; set; }

    public long Acknowledged { get; set; }

    public long Delivered { get; set; }

    public long Repeated { get; set; }

    public bool IsOn { get; private set; }

    public void Ready(PairClient client, WireConnection connection, bool publishes)
    {
        if (publishes)
            _publishers.Add((client, connection));
        if (--_notReady == 0)
            _ready.TrySetResult();
    }

    /// <summary>Loads a broker for some time after a second of warm-up.</summary>
    public async Task<PairResult> RunAsync(ServedBroker broker, TimeSpan duration)
    {
        using var wire = WireFactory.Create(new WireOptions());
        for (var i = 0; i < pairs; i++)
        {
            wire.Connect(broker.Endpoint, new PairClient(this, i, publishes: false, payloadBytes));
            wire.Connect(broker.Endpoint, new PairClient(this, i, publishes: true, payloadBytes));
        }
        var running = Task.Factory.StartNew(
            wire.Run,
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        await Task.WhenAny(_ready.Task, running);
        if (running.IsFaulted)
            await running;
        await OnLoopAsync(
            wire,
            () =>
            {
                IsOn = true;
                foreach (var (client, connection) in _publishers)
                    client.Begin(connection, inFlight);
                return true;
            }
        );
        await Task.Delay(TimeSpan.FromSeconds(1));
        var before = await OnLoopAsync(wire, () => Snapshot(broker));
        await Task.Delay(duration);
        var after = await OnLoopAsync(
            wire,
            () =>
            {
                IsOn = false;
                return Snapshot(broker);
            }
        );
        // What is under way arrives; then nothing may be missing.
        for (
            var i = 0;
            i < 500 && !await OnLoopAsync(wire, () => Acknowledged == Published && Delivered == Published);
            i++
        )
            await Task.Delay(10);
        wire.Stop();
        await running;
        var seconds = (after.Nanoseconds - before.Nanoseconds) / 1e9;
        var messages = Math.Max(1, after.Delivered - before.Delivered);
        return new PairResult(
            (after.Acknowledged - before.Acknowledged) / seconds,
            messages / seconds,
            (after.Own - before.Own).TotalMicroseconds / messages,
            (after.Broker - before.Broker).TotalMicroseconds / messages,
            Published - Delivered,
            Repeated
        );
    }

    private (long Acknowledged, long Delivered, TimeSpan Own, TimeSpan Broker, long Nanoseconds) Snapshot(
        ServedBroker broker
    ) =>
        (
            Acknowledged,
            Delivered,
            Own(),
            ProcessUsage.Read(broker.ProcessId)!.Value.ProcessorTime,
            MonotonicClock.NowNanoseconds
        );

    private static Task<T> OnLoopAsync<T>(IWire wire, Func<T> function)
    {
        var result = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        wire.Post(() => result.SetResult(function()));
        return result.Task;
    }

    private static TimeSpan Own()
    {
        using var process = Process.GetCurrentProcess();
        return process.TotalProcessorTime;
    }
}
