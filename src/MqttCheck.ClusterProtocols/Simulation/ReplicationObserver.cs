using System.Diagnostics;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Properties;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>
/// Hands the events of a replication to the recorder of its outcome, but for messages from before a time.
/// </summary>
internal sealed class ReplicationObserver(ReplicationClients clients, string probePrefix, long countsFrom)
    : IClusterEventSink
{
    private readonly List<ClusterEvent> _shifted = [];
    private readonly HashSet<long> _probes = [];
    private readonly HashSet<long> _warmUp = [];
    private readonly Dictionary<long, int> _publishers = [];
    private ClusterOutcomeRecorder _recorder = null!;

    public void Begin(ClusterOutcomeRecorder recorder)
    {
        _recorder = recorder;
        _shifted.Clear();
        _probes.Clear();
        _warmUp.Clear();
        _publishers.Clear();
    }

    public void Add(in ClusterEvent happened)
    {
        if (happened.Kind == ClusterEventKind.Published && happened.Nanoseconds < countsFrom)
            _warmUp.Add(happened.Message);
        if (happened.Message >= 0 && _warmUp.Contains(happened.Message))
            return;
        if (happened.Topic.StartsWith(probePrefix, StringComparison.Ordinal))
            ObserveProbe(happened);
        else if (happened.Kind == ClusterEventKind.Acknowledged && _probes.Contains(happened.Message))
            return;
        else if (clients.HasAccessDelay)
        {
            if (happened.Kind == ClusterEventKind.Published)
                _publishers[happened.Message] = happened.Client;
            _shifted.Add(Shifted(happened));
        }
        else
            _recorder.Add(happened, isProbe: false);
    }

    /// <summary>Ends the replication.</summary>
    /// <param name="nanoseconds">When it ended.</param>
    /// <param name="probesEndNanoseconds">When probes ended.</param>
    /// <param name="signallingBytes">Bytes of what nodes told each other.</param>
    public ClusterOutcome End(long nanoseconds, long probesEndNanoseconds, long signallingBytes)
    {
        // Sorting is stable, so what happens at one time keeps its order.
        foreach (var happened in _shifted.OrderBy(happened => happened.Nanoseconds))
            _recorder.Add(happened, isProbe: false);
        return _recorder.End(nanoseconds, probesEndNanoseconds, linksAreSeen: true, signallingBytes);
    }

    private void ObserveProbe(in ClusterEvent happened)
    {
        if (happened.Kind is not (ClusterEventKind.Published or ClusterEventKind.Delivered))
            return;
        _probes.Add(happened.Message);
        var (from, to) = clients.PairOf(happened.Client);
        var peer = happened.Kind == ClusterEventKind.Published ? to : from;
        _recorder.Add(happened with { Peer = peer }, isProbe: true);
    }

    // The simulator knows when a publication reaches its broker, and when a delivery or an answer leaves it.
    private ClusterEvent Shifted(in ClusterEvent happened) =>
        happened.Kind switch
        {
            ClusterEventKind.Published => happened with
            {
                Nanoseconds = happened.Nanoseconds - clients.AccessNanoseconds(happened.Client),
            },
            ClusterEventKind.Delivered => happened with
            {
                Nanoseconds = happened.Nanoseconds + clients.AccessNanoseconds(happened.Client),
            },
            // An answer does not say to whom it goes.
            ClusterEventKind.Acknowledged when _publishers.TryGetValue(happened.Message, out var publisher) =>
                happened with
                {
                    Nanoseconds = happened.Nanoseconds + clients.AccessNanoseconds(publisher),
                },
            ClusterEventKind.Acknowledged
            or ClusterEventKind.Subscribed
            or ClusterEventKind.Unsubscribed
            or ClusterEventKind.Sent
            or ClusterEventKind.Received
            or ClusterEventKind.Dropped
            or ClusterEventKind.FaultBegan
            or ClusterEventKind.FaultEnded
            or ClusterEventKind.BridgesRestored
            or ClusterEventKind.RootChanged
            or ClusterEventKind.ParentChanged
            or ClusterEventKind.RoleChanged
            or ClusterEventKind.QueueLength
            or ClusterEventKind.SessionForgotten
            or ClusterEventKind.DiscoveryChanged
            or ClusterEventKind.TopicMembersChanged
            or ClusterEventKind.TopicRootChanged
            or ClusterEventKind.TopicParentChanged => happened,
            _ => throw new UnreachableException(),
        };
}
