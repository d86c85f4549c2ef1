using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

/// <summary>
/// The store of persistent sessions that brokers share: MqttCheck's own, or a Redis server. Each call is atomic.
/// </summary>
internal interface ISessionStore : IAsyncDisposable
{
    /// <summary>Adds messages behind those of a session, and removes the oldest above the limit.</summary>
    /// <returns>The messages with their identifiers and scores, in their order.</returns>
    Task<IReadOnlyList<StoredMessage>> AddAsync(int client, IReadOnlyList<PipelineMessage> messages);

    /// <summary>Removes a message that its session has acknowledged.</summary>
    /// <returns>Whether it was there.</returns>
    Task<bool> RemoveAsync(int client, ushort packetId);

    /// <summary>The messages of a session that are not acknowledged, and what it was given so far.</summary>
    Task<StoredSession> GetAsync(int client);
}
