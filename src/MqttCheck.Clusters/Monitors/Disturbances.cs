using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// The faults of a run, and how long it took after each until something worked again. A fault counts from its
/// beginning, from the return of a node, and if it is one of links that heals from its end.
/// </summary>
internal sealed class Disturbances
{
    /// <summary>For how long it must work after a repair: 2 s.</summary>
    public const long StableNanoseconds = 2_000_000_000;

    private readonly List<(long Begin, long From)> _faults = [];
    private readonly HashSet<int> _away = [];
    private readonly Dictionary<(int Node, int Peer), int> _ofLinks = [];

    /// <summary>Whether there was one so far.</summary>
    public bool HasAny => _faults.Count > 0;

    /// <summary>Takes the next event; it looks at faults alone.</summary>
    /// <param name="clusterEvent">An event that is not earlier than the one before.</param>
    public void Add(in ClusterEvent clusterEvent)
    {
        var (now, node, peer) = (clusterEvent.Nanoseconds, clusterEvent.Node, clusterEvent.Peer);
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.FaultBegan:
                _faults.Add((now, now));
                if (peer >= 0)
                    _ofLinks[(node, peer)] = _faults.Count - 1;
                else
                    _away.Add(node);
                break;
            // A node that is back is one that has to work again.
            case ClusterEventKind.FaultEnded when peer < 0 && _away.Remove(node):
                _faults.Add((now, now));
                break;
            // A pair that a link fault separates can only work again when it has ended.
            case ClusterEventKind.FaultEnded when _ofLinks.Remove((node, peer), out var index):
                _faults[index] = _faults[index] with { From = now };
                break;
        }
    }

    /// <summary>
    /// The longest time from a fault to the first moment after which it works for <see cref="StableNanoseconds"/>, in
    /// nanoseconds; 0 without one, null where that moment never came.
    /// </summary>
    /// <param name="gaps">When it did not work.</param>
    /// <param name="endNanoseconds">When nobody looks any more: faults that end later are not seen to be over.</param>
    /// <param name="countsOthers">Whether a gap that no fault explains counts, from its beginning.</param>
    public long? LongestRepair(IEnumerable<(long Begin, long End)> gaps, long endNanoseconds, bool countsOthers)
    {
        var ordered = gaps.OrderBy(gap => gap.Begin).ToList();
        var longest = 0L;
        List<(long Begin, long End)> explained = [];
        foreach (var (begin, from) in _faults.Where(fault => fault.From < endNanoseconds))
            Repair(begin, from);
        foreach (var (begin, end) in countsOthers ? ordered : [])
        {
            if (!explained.Exists(by => begin <= by.End && end >= by.Begin))
                Repair(begin, begin);
        }
        return explained.Exists(repair => repair.End >= endNanoseconds) ? null : longest;

        void Repair(long disturbed, long from)
        {
            var repaired = from;
            foreach (var (begin, end) in ordered)
            {
                if (begin < repaired + StableNanoseconds && end > repaired)
                    repaired = end;
            }
            explained.Add((disturbed, repaired));
            longest = Math.Max(longest, repaired - from);
        }
    }
}
