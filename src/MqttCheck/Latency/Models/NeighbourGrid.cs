using System.Runtime.CompilerServices;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;

namespace MqttCheck.Latency.Models;

/// <summary>
/// The grid of features on whose nodes nearest neighbours are looked up: kind, open exchanges, all subscriptions,
/// subscribers of the topic.
/// </summary>
internal static class NeighbourGrid
{
    public static readonly int[] Active = [1, 2, 3, 4, 6, 9, 13, 20, 30, 45, 70, 100];
    public static readonly int[] Subscriptions = [0, 20, 60, 150, 300, 600];
    public static readonly int[] Subscribers = [0, 1, 2, 3, 5, 8, 12];

    private const int ActiveNodes = 12,
        SubscriptionNodes = 6,
        SubscriberNodes = 7;

    public const int NodesPerKind = ActiveNodes * SubscriptionNodes * SubscriberNodes;
    public const int Nodes = NodesPerKind * MessageKinds.Count;

    private static readonly byte[] ActiveNode = Nearest(Active);
    private static readonly byte[] SubscriptionNode = Nearest(Subscriptions);
    private static readonly byte[] SubscriberNode = Nearest(Subscribers);

    /// <summary>The nearest node.</summary>
    /// <param name="features">The features.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int NodeOf(in ExchangeFeatures features) =>
        Node(
            (int)features.Kind,
            ActiveNode[Math.Min(features.Active, 100)],
            SubscriptionNode[Math.Min(features.TotalSubscriptions, 600)],
            SubscriberNode[Math.Min(features.Subscribers, 12)]
        );

    /// <summary>A node by its places on the axes.</summary>
    public static int Node(int kind, int active, int subscriptions, int subscribers) =>
        ((kind * ActiveNodes + active) * SubscriptionNodes + subscriptions) * SubscriberNodes + subscribers;

    /// <summary>The values at a node.</summary>
    public static (int Kind, int Active, int Subscriptions, int Subscribers) At(int node) =>
        (
            node / NodesPerKind,
            Active[node / (SubscriptionNodes * SubscriberNodes) % ActiveNodes],
            Subscriptions[node / SubscriberNodes % SubscriptionNodes],
            Subscribers[node % SubscriberNodes]
        );

    // Nearest by ratio; 0 has a node of its own.
    private static byte[] Nearest(int[] nodes) =>
        [
            .. Enumerable
                .Range(0, nodes[^1] + 1)
                .Select(value => nodes.MinBy(node => Distance(node, value)))
                .Select(node => (byte)Array.IndexOf(nodes, node)),
        ];

    private static double Distance(int node, int value) =>
        (node == 0) != (value == 0) ? 1e3 : Math.Abs(Math.Log((node + 1.0) / (value + 1.0)));
}
