using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>A handler made of functions, which records what happened.</summary>
public sealed class ScriptedHandler : IWireHandler, ITimerHandler
{
    private readonly TaskCompletionSource<WireConnection> _connected = new(
        TaskCreationOptions.RunContinuationsAsynchronously
    );
    private readonly TaskCompletionSource<CloseReason> _closed = new(
        TaskCreationOptions.RunContinuationsAsynchronously
    );
    private readonly TaskCompletionSource<bool> _complete = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public delegate int BytesFunction(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp);

    public Action<WireConnection>? Connected { get; init; }

    public BytesFunction? Bytes { get; init; }

    public Action<WireConnection, SendStamp>? Sent { get; init; }

    public Action<long, long, int>? Timer { get; init; }

    public Action<WireConnection, CloseReason>? Closed { get; init; }

    /// <summary>How many bytes complete <see cref="WhenComplete"/>.</summary>
    public int Expected { get; init; } = int.MaxValue;

    /// <summary>Everything that was consumed, when <see cref="Bytes"/> is not given.</summary>
    public List<byte> Received { get; } = [];

    public List<ArrivalStamp> Arrivals { get; } = [];

    public List<SendStamp> Sends { get; } = [];

    public int ClosedCalls { get; private set; }

    public int CallsAfterClosed { get; private set; }

    public string Detail { get; private set; } = "";

    public Task<WireConnection> WhenConnected => _connected.Task;

    public Task<CloseReason> WhenClosed => _closed.Task;

    public Task<bool> WhenComplete => _complete.Task;

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        Count();
        Connected?.Invoke(connection);
        _connected.TrySetResult(connection);
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        Count();
        Arrivals.Add(stamp);
        if (Bytes is not null)
            return Bytes(connection, bytes, stamp);
        Received.AddRange(bytes);
        if (Received.Count >= Expected)
            _complete.TrySetResult(true);
        return bytes.Length;
    }

    public void OnSent(WireConnection connection, in SendStamp stamp)
    {
        Count();
        Sends.Add(stamp);
        Sent?.Invoke(connection, stamp);
    }

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) =>
        Timer?.Invoke(dueNanoseconds, nowNanoseconds, tag);

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        ClosedCalls++;
        Detail = detail;
        Closed?.Invoke(connection, reason);
        _closed.TrySetResult(reason);
    }

    public void Complete() => _complete.TrySetResult(true);

    private void Count()
    {
        if (ClosedCalls > 0)
            CallsAfterClosed++;
    }
}
