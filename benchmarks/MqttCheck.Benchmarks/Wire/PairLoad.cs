using System.Diagnostics;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>Pairs of clients on one wire that exchange QoS 1 messages in a closed loop.</summary>
internal sealed class PairLoad(int pairs, int inFlight, int payloadBytes)
{
    private readonly List<(PairClient Client, WireConnection Connection)> _publishers = [];
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _notReady = 2 * pairs;

    public long Acknowledged { get; set; }

    public long Delivered { get; set; }

    public bool IsOn { get; private set; }

    public void Ready(PairClient client, WireConnection connection, bool publishes)
    {
        if (publishes) _publishers.Add((client, connection));
        if (--_notReady == 0) _ready.TrySetResult();
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
        var running = Task.Factory.StartNew(wire.Run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await Task.WhenAny(_ready.Task, running);
        if (running.IsFaulted) await running;
        IsOn = true;
        wire.Post(() =>
        {
            foreach (var (client, connection) in _publishers) client.Begin(connection, inFlight);
        });
        await Task.Delay(TimeSpan.FromSeconds(1));
        var (countBefore, ownBefore, brokerBefore, start) = (Delivered, Own(), ProcessUsage.Read(broker.ProcessId)!.Value, Stopwatch.GetTimestamp());
        await Task.Delay(duration);
        var (countAfter, ownAfter, brokerAfter, elapsed) = (Delivered, Own(), ProcessUsage.Read(broker.ProcessId)!.Value, Stopwatch.GetElapsedTime(start));
        IsOn = false;
        // What is under way arrives; then nothing may be missing.
        for (var i = 0; i < 500 && Delivered != Acknowledged; i++) await Task.Delay(10);
        wire.Stop();
        await running;
        var messages = Math.Max(1, countAfter - countBefore);
        return new PairResult(
            messages / elapsed.TotalSeconds,
            (ownAfter - ownBefore).TotalMicroseconds / messages,
            (brokerAfter.ProcessorTime - brokerBefore.ProcessorTime).TotalMicroseconds / messages,
            Acknowledged - Delivered);
    }

    private static TimeSpan Own()
    {
        using var process = Process.GetCurrentProcess();
        return process.TotalProcessorTime;
    }
}
