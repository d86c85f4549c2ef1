using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Clusters.Events;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>Turns the steps of a load's clients into events of the cluster.</summary>
/// <param name="events">Takes them.</param>
/// <param name="workload">The load.</param>
/// <param name="topics">Its topics and filters.</param>
/// <param name="nodes">The nodes by their place among the endpoints.</param>
/// <param name="began">Told when the load begins: when messages begin to count, and when nothing more is due.</param>
internal sealed class LoadEvents(
    LiveClusterEvents events,
    Workload workload,
    LoadTopics topics,
    IReadOnlyList<int> nodes,
    Action<long, long> began
) : ILoadObserver
{
    /// <inheritdoc/>
    public void Began(long measureStart, long end) => began(measureStart, end);

    /// <inheritdoc/>
    public void Sent(int publisher, int node, long number, long atNanoseconds) =>
        Message(ClusterEventKind.Published, publisher, node, publisher, number, (int)workload.Qos, atNanoseconds);

    /// <inheritdoc/>
    public void Acknowledged(int publisher, int node, long number, long atNanoseconds) =>
        Message(ClusterEventKind.Acknowledged, publisher, node, publisher, number, (int)workload.Qos, atNanoseconds);

    /// <inheritdoc/>
    public void Subscribed(int subscriber, int node, bool isResumed, long atNanoseconds)
    {
        if (!isResumed)
            Subscription(ClusterEventKind.Subscribed, subscriber, node, atNanoseconds);
    }

    /// <inheritdoc/>
    public void Unsubscribed(int subscriber, int node, long atNanoseconds) =>
        Subscription(ClusterEventKind.Unsubscribed, subscriber, node, atNanoseconds);

    /// <inheritdoc/>
    public void SessionForgotten(int subscriber, int node, long atNanoseconds) =>
        Subscription(ClusterEventKind.SessionForgotten, subscriber, node, atNanoseconds);

    /// <inheritdoc/>
    public void Delivered(int subscriber, int node, int publisher, long number, int qos, long atNanoseconds) =>
        Message(
            ClusterEventKind.Delivered,
            workload.Publishers + subscriber,
            node,
            publisher,
            number,
            qos,
            atNanoseconds
        );

    private void Message(
        ClusterEventKind kind,
        int client,
        int node,
        int publisher,
        long number,
        int qos,
        long atNanoseconds
    )
    {
        if (!events.Counts(number))
            return;
        events.Add(
            new ClusterEvent
            {
                Nanoseconds = atNanoseconds,
                Kind = kind,
                Node = nodes[node],
                Client = client,
                Message = LiveClusterEvents.MessageOf(publisher, number),
                Topic = events.TopicOf(publisher),
                Qos = qos,
            }
        );
    }

    private void Subscription(ClusterEventKind kind, int subscriber, int node, long atNanoseconds) =>
        events.Add(
            new ClusterEvent
            {
                Nanoseconds = atNanoseconds,
                Kind = kind,
                Node = nodes[node],
                Client = workload.Publishers + subscriber,
                Topic = topics.Filters[subscriber],
                Qos = (int)workload.SubscribeQos,
            }
        );
}
