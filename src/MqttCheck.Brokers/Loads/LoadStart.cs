namespace MqttCheck.Brokers.Loads;

/// <summary>
/// A beginning that several loads share: each waits until it is told when, once its clients are connected. Any thread
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
    /// <param name="begin">Told when the first message is due, on the wire's clock.</param>
    public void Ready(Action<long> begin)
    {
        lock (_gate)
            (_isReady, _begin) = (true, begin);
    }

    /// <summary>Says when the first message is due; only what is ready is told.</summary>
    public void Begin(long startNanoseconds)
    {
        lock (_gate)
            _begin?.Invoke(startNanoseconds);
    }

    /// <summary>The load has ended: nobody is told any more.</summary>
    public void Detach()
    {
        lock (_gate)
            _begin = null;
    }
}
