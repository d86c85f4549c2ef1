using MqttCheck.Clusters.Events;
using MqttCheck.LiveClusters.Launching;

namespace MqttCheck.LiveClusters.Tests.Runs;

/// <summary>The events of a run, kept.</summary>
internal sealed class RecordedEvents : IClusterEventSink
{
    public List<ClusterEvent> All { get; } = [];

    /// <summary>Those of the load's messages.</summary>
    public IEnumerable<ClusterEvent> OfLoad(ClusterEventKind kind) =>
        All.Where(one =>
                one.Kind == kind && (one.Peer < 0 || one.Kind is ClusterEventKind.Sent or ClusterEventKind.Received)
            )
            .Where(one => one.Message is >= 0 and < 1L << 62 || kind is ClusterEventKind.Subscribed);

    /// <summary>Those of probes.</summary>
    public IEnumerable<ClusterEvent> OfProbes(ClusterEventKind kind) =>
        All.Where(one => one.Kind == kind && one.Peer >= 0);

    public void Add(in ClusterEvent clusterEvent) => All.Add(clusterEvent);

    /// <summary>The longest time between two working probes of live pairs, their beginning and end included.</summary>
    public double BlackoutSeconds(int downNode)
    {
        var sent = OfProbes(ClusterEventKind.Published)
            .Where(one => one.Node != downNode && one.Peer != downNode)
            .ToList();
        var arrived = OfProbes(ClusterEventKind.Delivered).Select(one => one.Message).ToHashSet();
        return sent.GroupBy(one => (one.Node, one.Peer))
            .Select(pair =>
            {
                var working = pair.Where(one => arrived.Contains(one.Message)).Select(one => one.Nanoseconds);
                long[] times = [pair.First().Nanoseconds, .. working, pair.Last().Nanoseconds];
                return times.Zip(times.Skip(1), (from, to) => to - from).Max() / 1e9;
            })
            .Max();
    }
}
