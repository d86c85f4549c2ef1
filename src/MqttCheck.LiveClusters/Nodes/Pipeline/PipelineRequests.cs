using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Logs;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

namespace MqttCheck.LiveClusters.Nodes.Pipeline;

/// <summary>
/// Carries the requests of a pipeline's broker to its log and its store. Every answer and every failure becomes an
/// input on the broker's thread.
/// </summary>
/// <param name="log">The log.</param>
/// <param name="store">The store.</param>
/// <param name="stop">Cancelled when requests are to be answered no more.</param>
internal abstract class PipelineRequests(IMessageLog log, ISessionStore store, CancellationToken stop) : IPipelineOutput
{
    /// <summary>The broker.</summary>
    protected abstract PipelineBroker Core { get; }

    /// <summary>The time of the broker's clock.</summary>
    protected abstract long Now { get; }

    /// <inheritdoc/>
    public void Append(LogPartition partition, in LogRecord record, long token) =>
        Follow(WithResult(log.AppendAsync(partition, record)), (isDone, _) => Core.Appended(token, isDone, Now));

    /// <inheritdoc/>
    public void Poll(LogPartition partition, int most, long token) =>
        Follow(
            log.ReadAsync(partition, most, stop),
            (isDone, pack) =>
            {
                if (isDone)
                    Core.Polled(token, pack!.Records, pack.Next, Now);
            }
        );

    /// <inheritdoc/>
    public void Commit(LogPartition partition, long next, long token) =>
        Follow(WithResult(log.CommitAsync(partition, next)), (_, _) => Core.Committed(token, Now));

    /// <inheritdoc/>
    public virtual void Add(int client, IReadOnlyList<PipelineMessage> messages, long token) =>
        Follow(store.AddAsync(client, messages), (isDone, stored) => Core.Added(token, isDone, stored ?? [], Now));

    /// <inheritdoc/>
    public abstract void Receive(int client, ushort packetId, long token);

    /// <inheritdoc/>
    public void Remove(int client, ushort packetId) => Follow(store.RemoveAsync(client, packetId), (_, _) => { });

    /// <inheritdoc/>
    public void Get(int client, long token) =>
        Follow(store.GetAsync(client), (_, stored) => Got(client, token, stored));

    /// <inheritdoc/>
    public abstract void AcknowledgePublication(int client, long message);

    /// <inheritdoc/>
    public abstract void Deliver(int client, in StoredMessage stored);

    /// <inheritdoc/>
    public abstract void Release(int client, ushort packetId);

    /// <inheritdoc/>
    public abstract int NodeOf(int client);

    /// <inheritdoc/>
    public abstract IReadOnlyList<PipelineSubscriber> SubscribersOf(in PipelineMessage message);

    /// <summary>The store has answered with the messages of a session, or has failed.</summary>
    protected virtual void Got(int client, long token, StoredSession? stored) => Core.Got(token, stored, Now);

    /// <summary>Runs an input on the broker's thread; the broker's timer is armed again afterwards.</summary>
    protected abstract void Post(Action input);

    /// <summary>Turns the answer to a request into an input.</summary>
    protected void Follow<T>(Task<T> request, Action<bool, T?> then) =>
        request.ContinueWith(
            done =>
                Post(() => then(done.IsCompletedSuccessfully, done.IsCompletedSuccessfully ? done.Result : default)),
            stop,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default
        );

    private static async Task<bool> WithResult(Task request)
    {
        await request;
        return true;
    }
}
