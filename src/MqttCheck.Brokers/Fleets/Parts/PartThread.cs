namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>Runs a part on a thread of its own, and tells its progress and its end.</summary>
internal sealed class PartThread<TProgress, TResult> : IProgress<TProgress>, IDisposable
    where TProgress : struct
    where TResult : class
{
    private readonly CancellationTokenSource _orderly = new(),
        _atOnce = new();
    private readonly Lock _gate = new();
    private Task _ended = Task.CompletedTask;
    private TProgress _latest;
    private PartEnd<TResult> _end;
    private bool _isDisposed;

    /// <summary>How far the run is.</summary>
    public TProgress Latest
    {
        get
        {
            lock (_gate)
                return _latest;
        }
    }

    /// <summary>How it ended.</summary>
    public PartEnd<TResult> End => _ended.IsCompleted ? _end : default;

    /// <summary>Starts the run.</summary>
    /// <param name="run">The run. It gets the token that ends it in order, and the one that ends it at once.</param>
    public void Start(Func<CancellationToken, CancellationToken, TResult> run) =>
        _ended = Task.Factory.StartNew(
            () => Run(run),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );

    /// <inheritdoc/>
    public void Report(TProgress value)
    {
        lock (_gate)
            _latest = value;
    }

    /// <summary>Stops the run, in order or at once.</summary>
    public void Stop(bool atOnce)
    {
        lock (_orderly)
        {
            if (!_isDisposed)
                (atOnce ? _atOnce : _orderly).Cancel();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Stop(atOnce: true);
        // The run reads its tokens until it has ended.
        _ended.ContinueWith(_ => DisposeTokens(), TaskScheduler.Default);
    }

    private void DisposeTokens()
    {
        lock (_orderly)
        {
            _isDisposed = true;
            _orderly.Dispose();
            _atOnce.Dispose();
        }
    }

    private void Run(Func<CancellationToken, CancellationToken, TResult> run)
    {
        try
        {
            _end = new(run(_orderly.Token, _atOnce.Token), null, false);
        }
        catch (Exception failure)
        {
            _end = new(null, failure.Message, failure is InputException);
        }
    }
}
