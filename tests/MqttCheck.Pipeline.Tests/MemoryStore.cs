using System.Diagnostics;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

namespace MqttCheck.Pipeline.Tests;

/// <summary>MqttCheck's own store, in memory, for machines without a Redis server.</summary>
internal sealed class MemoryStore(StoreOptions options) : ISessionStore
{
    private readonly SessionStoreModel _model = new(options);
    private readonly Lock _lock = new();

    private static long Now => (long)Stopwatch.GetElapsedTime(0).TotalNanoseconds;

    /// <inheritdoc/>
    public Task<IReadOnlyList<StoredMessage>> AddAsync(int client, IReadOnlyList<PipelineMessage> messages)
    {
        lock (_lock)
            return Task.FromResult(_model.Add(client, messages, Now));
    }

    /// <inheritdoc/>
    public Task<bool> RemoveAsync(int client, ushort packetId)
    {
        lock (_lock)
            return Task.FromResult(_model.Remove(client, packetId));
    }

    /// <inheritdoc/>
    public Task<StoredSession> GetAsync(int client)
    {
        lock (_lock)
            return Task.FromResult(_model.Read(client, Now));
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
