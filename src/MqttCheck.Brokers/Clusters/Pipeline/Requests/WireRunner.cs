using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Clusters.Pipeline.Requests;

/// <summary>A wire with a thread of its own.</summary>
/// <param name="name">The name of the thread.</param>
/// <exception cref="WireException">The system refuses descriptors.</exception>
internal sealed class WireRunner(string name) : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The wire.</summary>
    public IWire Wire { get; } = WireFactory.Create(new WireOptions { MaximumPendingBytes = 64 << 20 });

    /// <summary>Ends when the thread has stopped.</summary>
    public Task Completion => _ended.Task;

    /// <summary>Null, or how the thread failed.</summary>
    public string? Failure { get; private set; }

    /// <summary>Begins to run.</summary>
    public void Start() => new Thread(Run) { IsBackground = true, Name = name }.Start();

    /// <summary>Ends a thread that runs.</summary>
    /// <param name="last">What it does last.</param>
    public async Task EndAsync(Action last)
    {
        Wire.Post(() =>
        {
            last();
            Wire.Stop();
        });
        await Completion.WaitAsync(s_patience);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await EndAsync(() => { });

    private void Run()
    {
        try
        {
            Wire.Run();
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // The thread has no caller: whoever uses it reads the failure.
            Failure = exception.ToString();
        }
        finally
        {
            Wire.Dispose();
            _ended.TrySetResult();
        }
    }
}
