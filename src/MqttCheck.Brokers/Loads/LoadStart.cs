namespace MqttCheck.Brokers.Loads;

/// <summary>
/// A beginning that several loads share. Each load connects its clients and waits until it is told the time. Any thread
/// may call it.
/// </summary>
internal sealed class LoadStart
{
    private readonly Lock _gate = new();
    private Action<long>? _begin;
    private bool _isReady;

    /// <summary>Whether all clients are connected.</summary>
    public bool IsReady
    {
        get
        {
            lock (_gate)
                return _isReady;
        }
    }

    /// <summary>All clients are connected.</summary>
    /// <param name="begin">Called with the time, on the wire's clock, at which the first message is due.</param>
    public void Ready(Action<long> begin)
    {
        lock (_gate)
            (_isReady, _begin) = (true, begin);
    }

    /// <summary>Sets the time at which the first message is due; only a load that is ready is told.</summary>
    public void Begin(long startNanoseconds)
    {
        lock (_gate)
            _begin?.Invoke(startNanoseconds);
    }

    /// <summary>The load has ended, so it is told no more.</summary>
    public void Detach()
    {
        lock (_gate)
            _begin = null;
    }
}
