using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Links;

/// <summary>Runs the links of a cluster on a thread of their own, and lets other threads act on them.</summary>
internal sealed class LinkLoop : IAsyncDisposable
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly IWire _wire;

    /// <summary>Links that do not run yet.</summary>
    /// <param name="observer">Who is told of publications; null for nobody.</param>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public LinkLoop(ILinkObserver? observer)
    {
        _wire = WireFactory.Create(new WireOptions { IsPunctual = true });
        Network = new(_wire, observer);
    }

    /// <summary>The links: used before <see cref="Start"/>, then by <see cref="InvokeAsync{T}"/> only.</summary>
    public LinkNetwork Network { get; }

    /// <summary>Begins to relay.</summary>
    public void Start() => new Thread(Run) { IsBackground = true, Name = "links" }.Start();

    /// <summary>
    /// Runs an action on the links' thread. That thread itself wakes a blocked caller, without the thread pool, because
    /// faults have to be on time on a busy machine.
    /// </summary>
    /// <typeparam name="T">The type of the result.</typeparam>
    /// <param name="action">The action.</param>
    public Task<T> InvokeAsync<T>(Func<LinkNetwork, T> action)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        _wire.Post(() =>
        {
            try
            {
                done.TrySetResult(action(Network));
            }
            catch (Exception failure)
            {
                done.TrySetException(failure);
            }
        });
        // A loop that has ended runs no more actions.
        _ended.Task.ContinueWith(
            ended => done.TrySetException(ended.Exception?.InnerException ?? new ObjectDisposedException("links")),
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default
        );
        return done.Task;
    }

    /// <summary>Runs an action on the links' thread.</summary>
    /// <param name="action">The action.</param>
    public Task InvokeAsync(Action<LinkNetwork> action) =>
        InvokeAsync(network =>
        {
            action(network);
            return true;
        });

    /// <summary>Ends every connection.</summary>
    public async ValueTask DisposeAsync()
    {
        _wire.Stop();
        await Task.WhenAny(_ended.Task);
        _wire.Dispose();
    }

    private void Run()
    {
        try
        {
            _wire.Run();
            _ended.SetResult();
        }
        catch (Exception failure)
        {
            _ended.SetException(failure);
        }
    }
}
