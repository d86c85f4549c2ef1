using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Stores;

/// <summary>
/// The store of a live pipeline. Beside messages it keeps who has a session, where its client is, and what it
/// subscribes to. A task fails or is cancelled if the store stays away for too long.
/// </summary>
internal interface IPipelineStore : ISessionStore
{
    /// <summary>A broker has started.</summary>
    /// <param name="node">Its number.</param>
    /// <returns>How many changes it has to read before it knows all.</returns>
    Task<long> StartAsync(int node);

    /// <summary>A client connects.</summary>
    Task<OpenedSession> OpenAsync(string clientId, int node, bool isPersistent);

    /// <summary>The connection of a session is gone.</summary>
    Task CloseAsync(OpenedSession session);

    /// <summary>A client subscribes.</summary>
    Task<bool> SubscribeAsync(int client, string filter, int qos);

    /// <summary>A client ends a subscription.</summary>
    Task<bool> UnsubscribeAsync(int client, string filter);

    /// <summary>Waits for changes of sessions.</summary>
    /// <param name="from">The number of the first.</param>
    /// <returns>At least one, in order.</returns>
    Task<IReadOnlyList<SessionChange>> WatchAsync(long from);

    /// <summary>Adds messages, and finds where the client is at that moment.</summary>
    Task<AddedMessages> AddAndFindAsync(int client, IReadOnlyList<PipelineMessage> messages);

    /// <summary>A client has a message of QoS 2.</summary>
    Task<bool> ReceiveAsync(int client, ushort packetId);
}
