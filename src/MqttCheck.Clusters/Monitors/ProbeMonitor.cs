using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// Measures how long a cluster was unavailable, by probes: messages of an open loop from every node to every other. In
/// a probe's event, <see cref="ClusterEvent.Node"/> saw the probe and <see cref="ClusterEvent.Peer"/> is the other end.
/// </summary>
/// <remarks>
/// A probe works when it arrives within <see cref="DeadlineNanoseconds"/>. A gap is the time between two arrivals of
/// working probes of a pair, when it is longer than <see cref="LongestUnseenNanoseconds"/>; while a fault keeps a node
/// of the pair down it does not count.
/// </remarks>
/// <param name="intervalNanoseconds">The time between two probes of a pair.</param>
internal sealed class ProbeMonitor(long intervalNanoseconds)
{
    /// <summary>Within which time a probe must arrive to count as one that works: 1 s.</summary>
    public const long DeadlineNanoseconds = 1_000_000_000;

    private readonly Dictionary<(int From, int To), List<(long Sent, long Arrived)>> _working = [];
    private readonly Dictionary<long, (int From, int To, long Sent)> _open = [];
    private readonly Dictionary<int, List<(long Begin, long End)>> _down = [];
    private readonly Disturbances _disturbances = new();
    private long? _begin;

    /// <summary>The longest time without a probe that is no gap: three intervals, in nanoseconds.</summary>
    public long LongestUnseenNanoseconds => 3 * intervalNanoseconds;

    /// <summary>Takes the next event: of a probe, or of a fault.</summary>
    /// <param name="clusterEvent">An event that is not earlier than the one before.</param>
    public void Add(in ClusterEvent clusterEvent)
    {
        var (now, node, peer) = (clusterEvent.Nanoseconds, clusterEvent.Node, clusterEvent.Peer);
        _disturbances.Add(clusterEvent);
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.Published:
                _begin ??= now;
                _working.TryAdd((node, peer), []);
                _open[clusterEvent.Message] = (node, peer, now);
                break;
            case ClusterEventKind.Delivered:
                if (_open.Remove(clusterEvent.Message, out var probe) && now - probe.Sent <= DeadlineNanoseconds)
                    _working[(probe.From, probe.To)].Add((probe.Sent, now));
                break;
            // A node with a full or a slow disk has to serve.
            case ClusterEventKind.FaultBegan
            or ClusterEventKind.FaultEnded when clusterEvent.Fault is FaultKind.Fill or FaultKind.Throttle:
                break;
            case ClusterEventKind.FaultBegan when peer < 0:
                _down.GetOrNew(node).Add((now, long.MaxValue));
                break;
            case ClusterEventKind.FaultEnded when peer < 0 && _down.TryGetValue(node, out var down):
                down[^1] = down[^1] with { End = now };
                break;
        }
    }

    /// <summary>The longest gap that a pair saw, in nanoseconds; 0 for none.</summary>
    /// <param name="endNanoseconds">When probes ended.</param>
    public long Blackout(long endNanoseconds) =>
        Gaps(endNanoseconds).Select(gap => gap.End - gap.Begin).DefaultIfEmpty().Max();

    /// <summary>
    /// The longest time from a fault, see <see cref="Disturbances"/>, or from a gap that no fault explains, until all
    /// live pairs work for <see cref="Disturbances.StableNanoseconds"/>, in nanoseconds. 0 without either; null where
    /// that moment never came.
    /// </summary>
    /// <param name="endNanoseconds">When probes ended.</param>
    public long? Repair(long endNanoseconds) =>
        _disturbances.LongestRepair(Gaps(endNanoseconds), endNanoseconds, countsOthers: true);

    /// <summary>Whether at the end there is no pair of nodes that works, nor could be found to.</summary>
    /// <param name="endNanoseconds">When probes ended.</param>
    public bool IsServiceLost(long endNanoseconds)
    {
        var up = _working.Where(pair => !IsDown(pair.Key.From) && !IsDown(pair.Key.To)).ToList();
        return up.Count > 0
            && up.TrueForAll(pair =>
                pair.Value.Count == 0 || pair.Value[^1].Arrived < endNanoseconds - DeadlineNanoseconds
            );

        bool IsDown(int node) => _down.TryGetValue(node, out var down) && down[^1].End >= endNanoseconds;
    }

    /// <summary>
    /// For how long fewer than two nodes were up, so that no probe could say anything, in nanoseconds.
    /// </summary>
    /// <param name="endNanoseconds">When probes ended.</param>
    public long Unwatched(long endNanoseconds)
    {
        if (_begin is not { } begin)
            return 0;
        var nodes = _working.Keys.SelectMany(pair => (int[])[pair.From, pair.To]).Distinct().ToList();
        var changes = nodes
            .SelectMany(node => _down.GetValueOrDefault(node, []))
            .SelectMany(down => ((long At, int Change)[])[(down.Begin, -1), (down.End, 1)])
            .OrderBy(change => change.At);
        var (up, since, sum) = (nodes.Count, begin, 0L);
        foreach (var (at, change) in changes.Append((endNanoseconds, 0)))
        {
            var until = Math.Clamp(at, since, Math.Max(since, endNanoseconds));
            sum += up < 2 ? until - since : 0;
            (up, since) = (up + change, until);
        }
        return sum;
    }

    // The gaps of all pairs, without the times in which a node of the pair was down.
    private IEnumerable<(long Begin, long End)> Gaps(long end)
    {
        if (_begin is not { } begin)
            yield break;
        foreach (var ((from, to), sent) in _working)
        {
            var previous = begin;
            for (var index = 0; index <= sent.Count; index++)
            {
                // The time of the first one on its way is no gap.
                var until =
                    index == sent.Count ? end
                    : index == 0 ? sent[0].Sent
                    : sent[index].Arrived;
                foreach (var part in Alive(previous, until, from, to))
                {
                    if (part.End - part.Begin > LongestUnseenNanoseconds)
                        yield return part;
                }
                if (index < sent.Count)
                    previous = sent[index].Arrived;
            }
        }
    }

    private List<(long Begin, long End)> Alive(long begin, long end, int from, int to)
    {
        List<(long Begin, long End)> parts = [(begin, end)];
        foreach (var down in _down.GetValueOrDefault(from, []).Concat(_down.GetValueOrDefault(to, [])))
        {
            parts =
            [
                .. parts
                    .SelectMany(part =>
                        ((long Begin, long End)[])
                            [(part.Begin, Math.Min(part.End, down.Begin)), (Math.Max(part.Begin, down.End), part.End)]
                    )
                    .Where(part => part.End > part.Begin),
            ];
        }
        return parts;
    }
}
