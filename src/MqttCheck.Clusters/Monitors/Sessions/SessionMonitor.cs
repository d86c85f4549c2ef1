using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Sessions;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Sessions;

/// <summary>
/// Judges what brokers have to agree on for the clients of several of them. A remark has the counts; something is
/// violated only if the system promises it.
/// </summary>
/// <param name="settleNanoseconds">
/// How long a fault, or a change of who is there, keeps what is near from judgement.
/// </param>
/// <param name="reach">How far the promise of the system reaches.</param>
internal abstract class SessionMonitor(long settleNanoseconds, SessionReach reach) : ClusterMonitor
{
    private readonly List<(long Begin, long End)> _faults = [];
    private readonly Dictionary<(int Node, int Peer), int> _latestFaults = [];
    private readonly Dictionary<long, Publication> _publications = [];
    private readonly Dictionary<int, int> _published = [];

    /// <summary>Whether the system promises it; otherwise nothing is violated.</summary>
    private protected bool IsPromised => reach == SessionReach.Cluster;

    /// <summary>How long a fault, or a change of who is there, keeps what is near from judgement.</summary>
    private protected long SettleNanoseconds => settleNanoseconds;

    /// <summary>The publications in their order.</summary>
    private protected IEnumerable<Publication> Publications =>
        _publications.Values.OrderBy(publication => publication.Nanoseconds);

    /// <summary>Whether there was a fault.</summary>
    private protected bool HasFaults => _faults.Count > 0;

    /// <summary>The monitors that the load of a topology asks for.</summary>
    public static IEnumerable<SessionMonitor> Of(Topology topology)
    {
        var (load, promises) = (topology.Scenario.Sessions, SystemPromises.Of(topology));
        var settle = (long)topology.Scenario.Settle.TotalNanoseconds;
        if (load.SharedSubscriptions > 0)
            yield return new SharedSubscriptionMonitor(settle, promises, load.SharedSubscriptions);
        if (load.TakeOvers > 0)
            yield return new TakeOverMonitor(
                settle,
                promises,
                load.TakeOvers,
                [.. topology.Nodes.Select(node => node.Name)]
            );
        if (load.Wills > 0)
            yield return new WillMonitor(settle, promises);
    }

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.FaultBegan:
                _latestFaults[(clusterEvent.Node, clusterEvent.Peer)] = _faults.Count;
                _faults.Add((clusterEvent.Nanoseconds, long.MaxValue));
                break;
            case ClusterEventKind.FaultEnded or ClusterEventKind.BridgesRestored:
                if (_latestFaults.TryGetValue((clusterEvent.Node, clusterEvent.Peer), out var index))
                    _faults[index] = _faults[index] with { End = clusterEvent.Nanoseconds };
                break;
            case var _ when !clusterEvent.IsOfSessions:
                break;
            case ClusterEventKind.Published:
                var number = _published[clusterEvent.Client] = _published.GetValueOrDefault(clusterEvent.Client) + 1;
                _publications[clusterEvent.Message] = new Publication(
                    clusterEvent.Message,
                    clusterEvent.Topic,
                    clusterEvent.Nanoseconds,
                    Invariant($"client {clusterEvent.Client} #{number}")
                );
                break;
            case ClusterEventKind.Acknowledged:
                if (_publications.TryGetValue(clusterEvent.Message, out var acknowledged))
                    acknowledged.IsAcknowledged = true;
                break;
            default:
                Take(clusterEvent);
                break;
        }
    }

    /// <summary>Takes what happened to a client.</summary>
    private protected abstract void Take(in ClusterEvent clusterEvent);

    /// <summary>Whether a fault lasted at some time between two.</summary>
    private protected bool IsDisturbed(long from, long to) =>
        _faults.Exists(fault => fault.Begin <= to && fault.End >= from);

    /// <summary>When a message was published; null for an unknown one.</summary>
    private protected long? PublishedAt(long message) => _publications.GetValueOrDefault(message)?.Nanoseconds;

    /// <summary>A message that was published.</summary>
    private protected sealed record Publication(long Message, string Topic, long Nanoseconds, string Name)
    {
        public bool IsAcknowledged { get; set; }
    }
}
