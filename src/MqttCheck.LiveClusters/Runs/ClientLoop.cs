using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>The event loop of some clients of a run, on a thread of its own.</summary>
/// <param name="name">The name of the thread.</param>
internal sealed class ClientLoop(string name) : IAsyncDisposable
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The loop; its clients belong to its thread.</summary>
    public IWire Wire { get; } = WireFactory.Create(new WireOptions());

    /// <summary>Ends when the loop does, with its failure if it had one.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Starts the loop, and waits for its clients.</summary>
    /// <param name="connect">Lets them connect.</param>
    /// <param name="ready">Ends when all of them are ready.</param>
    /// <param name="timeout">How long at most.</param>
    /// <param name="missing">Says in words who is not, without a full stop.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">They are not.</exception>
    public async Task StartAsync(
        Action connect,
        Task ready,
        TimeSpan timeout,
        Func<string> missing,
        CancellationToken cancellation
    )
    {
        new Thread(Run) { IsBackground = true, Name = name }.Start();
        Wire.Post(connect);
        try
        {
            await Task.WhenAny(ready, Ended).WaitAsync(timeout, cancellation);
        }
        catch (TimeoutException)
        {
            throw new BrokerException(FormattableString.Invariant($"{missing()} within {timeout.TotalSeconds:0.#} s."));
        }
        if (Ended.IsFaulted)
            await Ended;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        Wire.Stop();
        await Task.WhenAny(Ended, Task.Delay(TimeSpan.FromSeconds(1)));
        Wire.Dispose();
    }

    private void Run()
    {
        try
        {
            Wire.Run();
            _ended.TrySetResult();
        }
        catch (Exception failure)
        {
            _ended.TrySetException(failure);
        }
    }
}
