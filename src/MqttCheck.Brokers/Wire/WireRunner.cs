namespace MqttCheck.Brokers.Wire;

/// <summary>A wire and the thread that runs it.</summary>
/// <param name="wire">The wire, disposed when the thread has stopped. Nobody else runs it.</param>
/// <param name="name">The name of the thread.</param>
/// <param name="ended">The last action of the thread, after it has run the wire; null for none.</param>
internal sealed class WireRunner(IWire wire, string name, Action? ended = null) : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _ending;

    /// <summary>A thread for the wire that fits the machine.</summary>
    /// <param name="name">The name of the thread.</param>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public WireRunner(string name)
        : this(WireFactory.Create(new WireOptions { MaximumPendingBytes = 64 << 20 }), name) { }

    /// <summary>The wire.</summary>
    public IWire Wire => wire;

    /// <summary>Ends when the thread has stopped.</summary>
    public Task Completion => _completion.Task;

    /// <summary>Null, or how the thread failed.</summary>
    public string? Failure { get; private set; }

    /// <summary>Begins to run.</summary>
    public void Start() => new Thread(Run) { IsBackground = true, Name = name }.Start();

    /// <summary>Runs an action that ends the thread, unless the thread is ending already.</summary>
    /// <param name="leave">The action. It stops the wire, at once or later.</param>
    public async Task LeaveAsync(Action leave)
    {
        if (Interlocked.Exchange(ref _ending, 1) == 0)
            wire.Post(leave);
        await Completion.ConfigureAwait(false);
    }

    /// <summary>Ends a thread that runs, unless it is ending already.</summary>
    /// <param name="last">The last action on the thread.</param>
    /// <exception cref="TimeoutException">It has not stopped within 5 s.</exception>
    public Task EndAsync(Action last) =>
        LeaveAsync(() =>
            {
                last();
                wire.Stop();
            })
            .WaitAsync(s_patience);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await EndAsync(() => { }).ConfigureAwait(false);

    private void Run()
    {
        try
        {
            wire.Run();
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // The thread has no caller, so its user reads the failure. A disk that is full needs no stack trace.
            Failure = exception is IOException or UnauthorizedAccessException
                ? exception.Message
                : exception.ToString();
        }
        finally
        {
            wire.Dispose();
            ended?.Invoke();
            _completion.TrySetResult();
        }
    }
}
