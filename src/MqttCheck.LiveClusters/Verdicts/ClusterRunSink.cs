using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Runs;

namespace MqttCheck.LiveClusters.Verdicts;

/// <summary>
/// Takes the events of live runs and gives them to the monitors of the present run. It is made before the cluster
/// starts, because relays report the messages on links to it.
/// </summary>
internal sealed class ClusterRunSink : IClusterEventSink
{
    // A single repetition may come from a failed connection; a loop makes thousands of them in a second.
    private const int LoopCrossings = 10;

    // The latest notes of the nodes by kind, node and neighbour outlive a run, because nodes stay up between runs.
    private readonly Dictionary<(ClusterEventKind Kind, int Node, int Peer), ClusterEvent> _notes = [];
    private ClusterOutcomeRecorder? _recorder;
    private LoopMonitor? _loops;
    private string _prefix = "";
    private Action? _onLoop;

    /// <summary>When the first probe left, in nanoseconds; null before.</summary>
    internal long? FirstProbeNanoseconds { get; private set; }

    /// <summary>When the first message was published, in nanoseconds; null before.</summary>
    internal long? FirstPublicationNanoseconds { get; private set; }

    /// <summary>When violations were so many that there is a loop, in nanoseconds; null if there is none.</summary>
    internal long? LoopNanoseconds { get; private set; }

    /// <summary>Begins a run.</summary>
    /// <param name="recorder">Judges the run.</param>
    /// <param name="loops">The monitor of loops among its monitors.</param>
    /// <param name="prefix">The prefix of its topics.</param>
    /// <param name="onLoop">Called once when messages go round.</param>
    internal void Begin(ClusterOutcomeRecorder recorder, LoopMonitor loops, string prefix, Action onLoop)
    {
        (FirstProbeNanoseconds, FirstPublicationNanoseconds, LoopNanoseconds) = (null, null, null);
        (_recorder, _loops, _prefix, _onLoop) = (recorder, loops, prefix, onLoop);
        foreach (var note in _notes.Values)
            recorder.Add(note with { Nanoseconds = 0 }, isProbe: false);
    }

    /// <inheritdoc/>
    public void Add(in ClusterEvent clusterEvent)
    {
        if (clusterEvent.Kind is ClusterEventKind.RootChanged or ClusterEventKind.ParentChanged)
            _notes[(clusterEvent.Kind, clusterEvent.Node, -1)] = clusterEvent;
        else if (clusterEvent.Kind is ClusterEventKind.RoleChanged)
            _notes[(clusterEvent.Kind, clusterEvent.Node, clusterEvent.Peer)] = clusterEvent;
        if (_recorder is not { } recorder || IsOfAnEarlierRun(clusterEvent))
            return;
        var isProbe = ClusterTopics.IsOfProbes(_prefix, clusterEvent.Topic);
        if (clusterEvent.Kind == ClusterEventKind.Published)
        {
            if (isProbe)
                FirstProbeNanoseconds ??= clusterEvent.Nanoseconds;
            else
                FirstPublicationNanoseconds ??= clusterEvent.Nanoseconds;
        }
        recorder.Add(clusterEvent, isProbe);
        if (LoopNanoseconds is not null || _loops!.ViolationCount < LoopCrossings)
            return;
        LoopNanoseconds = clusterEvent.Nanoseconds;
        _onLoop!();
    }

    // A copy of a message may still be on a slow link when the next run begins to number its messages, and nodes still
    // hold topics of earlier runs. A client of the run may get what nobody published, on any topic.
    private bool IsOfAnEarlierRun(in ClusterEvent clusterEvent) =>
        clusterEvent.Kind
            is ClusterEventKind.Published
                or ClusterEventKind.Delivered
                or ClusterEventKind.Sent
                or ClusterEventKind.Received
                or ClusterEventKind.TopicMembersChanged
                or ClusterEventKind.TopicRootChanged
                or ClusterEventKind.TopicParentChanged
        && clusterEvent is not { Kind: ClusterEventKind.Delivered, Message: < 0 }
        && !clusterEvent.Topic.StartsWith(_prefix, StringComparison.Ordinal);
}
