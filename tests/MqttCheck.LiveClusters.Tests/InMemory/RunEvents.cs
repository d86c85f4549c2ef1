using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;

namespace MqttCheck.LiveClusters.Tests.InMemory;

/// <summary>The events of a simulated run.</summary>
internal sealed class RunEvents : IClusterEventSink
{
    private readonly List<ClusterEvent> _all = [];

    public void Add(in ClusterEvent happened) => _all.Add(happened);

    /// <summary>What each subscriber got, in the order in which it came: the numbers of the messages.</summary>
    public Dictionary<int, List<long>> Deliveries =>
        _all.Where(one => one.Kind == ClusterEventKind.Delivered)
            .GroupBy(one => one.Client)
            .ToDictionary(group => group.Key, group => group.Select(one => one.Message).ToList());

    /// <summary>The publisher of each message.</summary>
    public Dictionary<long, int> Publishers =>
        _all.Where(one => one.Kind == ClusterEventKind.Published).ToDictionary(one => one.Message, one => one.Node);

    /// <summary>What links carried and what nodes decided, with times. Things of one instant are sorted.</summary>
    public List<string> Trace =>
        [
            .. _all.Where(one =>
                    one.Kind
                        is ClusterEventKind.Sent
                            or ClusterEventKind.Received
                            or ClusterEventKind.Dropped
                            or ClusterEventKind.RootChanged
                            or ClusterEventKind.ParentChanged
                            or ClusterEventKind.RoleChanged
                )
                .Select(one =>
                    (
                        one.Nanoseconds,
                        Text: $"{one.Nanoseconds} {one.Kind} {one.Node} {one.Peer} {one.Message} {one.Value}"
                    )
                )
                .OrderBy(one => one.Nanoseconds)
                .ThenBy(one => one.Text, StringComparer.Ordinal)
                .Select(one => one.Text),
        ];
}
