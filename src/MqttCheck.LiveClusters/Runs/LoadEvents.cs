using System.Text;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Clusters.Events;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol.Frames;

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
    public void Sent(int publisher, int node, long number, long payloadPrint, long atNanoseconds) =>
        Message(
            publisher,
            number,
            new ClusterEvent
            {
                Nanoseconds = atNanoseconds,
                Kind = ClusterEventKind.Published,
                Node = nodes[node],
                Client = publisher,
                Qos = (int)workload.QosOf(publisher),
                Value = payloadPrint,
            }
        );

    /// <inheritdoc/>
    public void Acknowledged(int publisher, int node, long number, long atNanoseconds) =>
        Message(
            publisher,
            number,
            new ClusterEvent
            {
                Nanoseconds = atNanoseconds,
                Kind = ClusterEventKind.Acknowledged,
                Node = nodes[node],
                Client = publisher,
                Qos = (int)workload.QosOf(publisher),
            }
        );

    /// <inheritdoc/>
    public void Subscribed(int subscriber, int node, bool isResumed, int grantedQos, long atNanoseconds)
    {
        Subscription(ClusterEventKind.Connected, subscriber, node, atNanoseconds);
        if (!isResumed)
            Subscription(ClusterEventKind.Subscribed, subscriber, node, atNanoseconds, grantedQos);
    }

    /// <inheritdoc/>
    public void Disconnected(int subscriber, int node, long atNanoseconds) =>
        Subscription(ClusterEventKind.Disconnected, subscriber, node, atNanoseconds);

    /// <inheritdoc/>
    public void Unsubscribed(int subscriber, int node, long atNanoseconds) =>
        Subscription(ClusterEventKind.Unsubscribed, subscriber, node, atNanoseconds);

    /// <inheritdoc/>
    public void SessionForgotten(int subscriber, int node, long atNanoseconds) =>
        Subscription(ClusterEventKind.SessionForgotten, subscriber, node, atNanoseconds);

    /// <inheritdoc/>
    public void SessionInvented(int subscriber, int node, long atNanoseconds) =>
        Subscription(ClusterEventKind.SessionInvented, subscriber, node, atNanoseconds);

    /// <inheritdoc/>
    public void Delivered(
        int subscriber,
        int node,
        int publisher,
        long number,
        in PublishView message,
        long atNanoseconds
    ) => Message(publisher, number, DeliveryOf(subscriber, node, message, atNanoseconds));

    /// <inheritdoc/>
    public void Strayed(int subscriber, int node, int publisher, in PublishView message, long atNanoseconds) =>
        events.Add(
            DeliveryOf(subscriber, node, message, atNanoseconds) with
            {
                Topic = publisher >= 0 ? events.TopicOf(publisher) : Encoding.UTF8.GetString(message.Topic),
            }
        );

    private ClusterEvent DeliveryOf(int subscriber, int node, in PublishView message, long atNanoseconds) =>
        new()
        {
            Nanoseconds = atNanoseconds,
            Kind = ClusterEventKind.Delivered,
            Node = nodes[node],
            Client = workload.Publishers + subscriber,
            Qos = (int)message.Qos,
            Value = PayloadPrint.Of(message.Payload),
            IsRetained = message.Retain,
            IsRepeat = message.Duplicate,
        };

    private void Message(int publisher, long number, in ClusterEvent happened)
    {
        if (events.Counts(number))
            events.Add(
                happened with
                {
                    Message = LiveClusterEvents.MessageOf(publisher, number),
                    Topic = events.TopicOf(publisher),
                }
            );
    }

    private void Subscription(
        ClusterEventKind kind,
        int subscriber,
        int node,
        long atNanoseconds,
        int? grantedQos = null
    ) =>
        events.Add(
            new ClusterEvent
            {
                Nanoseconds = atNanoseconds,
                Kind = kind,
                Node = nodes[node],
                Client = workload.Publishers + subscriber,
                Topic = topics.Filters[subscriber],
                Qos = grantedQos ?? (int)workload.SubscribeQos,
            }
        );
}
