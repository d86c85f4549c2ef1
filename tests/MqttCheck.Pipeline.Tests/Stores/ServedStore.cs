using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using MqttCheck.Pipeline.Stores;
using MqttCheck.Pipeline.Stores.Postgres;

namespace MqttCheck.Pipeline.Tests.Stores;

/// <summary>A store on a server, and what tests do to it beside what brokers do.</summary>
/// <param name="Store">The store.</param>
/// <param name="Receive">A client has a message of QoS 2.</param>
/// <param name="SetLast">Sets the last packet identifier of a session.</param>
/// <param name="Expire">Lets the messages of a session expire.</param>
internal sealed record ServedStore(
    ISessionStore Store,
    Func<int, ushort, Task> Receive,
    Func<int, ushort, Task> SetLast,
    Func<int, Task> Expire
)
{
    /// <summary>A store on Redis.</summary>
    public static async Task<ServedStore> RedisAsync(string addresses, StoreOptions options, int replicas)
    {
        var settings = new RedisSettings { Replicas = replicas, Patience = TimeSpan.FromSeconds(10) };
        var store = await RedisStore.ConnectAsync(addresses, options, settings);
        return new(store, store.ReceiveAsync, store.SetLastAsync, store.ExpireAsync);
    }

    /// <summary>A store in PostgreSQL, in which sessions with the same numbers may be there already.</summary>
    public static async Task<ServedStore> PostgresAsync(string connection, StoreOptions options)
    {
        var store = await PostgresStore.ConnectAsync(connection, options, batch: 20, writers: 2);
        return new(store, store.ReceiveAsync, store.SetLastAsync, store.ExpireAsync);
    }
}
