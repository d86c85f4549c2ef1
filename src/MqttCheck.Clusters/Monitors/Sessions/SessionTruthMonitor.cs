using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Messages;

namespace MqttCheck.Clusters.Monitors.Sessions;

/// <summary>
/// I12: a node says truly whether it has the session of a client (MQTT 3.1.1, MQTT-3.2.2-1 to 3.2.2-3; MQTT 5,
/// MQTT-3.2.2-2 and 3.2.2-3). It never has one that nobody made. It has one that was made there while nothing failed;
/// at another node only where the system says that sessions are those of the whole cluster.
/// </summary>
/// <param name="book">The messages of the run, for words.</param>
/// <param name="isShared">Whether sessions are those of the whole cluster.</param>
internal sealed class SessionTruthMonitor(MessageBook book, bool isShared) : ClusterMonitor
{
    private readonly Dictionary<int, int> _nodes = [];
    private bool _hasFaults;

    /// <inheritdoc/>
    public override string Name => "session";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        var (client, node, now) = (clusterEvent.Client, clusterEvent.Node, clusterEvent.Nanoseconds);
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.FaultBegan:
                _hasFaults = true;
                break;
            case var _ when clusterEvent.IsOfSessions:
                break;
            case ClusterEventKind.Subscribed or ClusterEventKind.Connected:
                _nodes[client] = node;
                break;
            case ClusterEventKind.SessionInvented:
                Report(now, $"{Words(clusterEvent)} that it had its session (session present 1), and there was none");
                break;
            case ClusterEventKind.SessionForgotten
                when !_hasFaults && _nodes.TryGetValue(client, out var former) && (isShared || former == node):
                Report(
                    now,
                    $"{Words(clusterEvent)} that it had no session (session present 0), and it was made at "
                        + $"{book.NameOfNode(former)}, where nothing failed"
                );
                break;
        }
    }

    private string Words(in ClusterEvent answer) =>
        $"{book.NameOfNode(answer.Node)} told {book.NameOf(answer.Client)} at {book.Time(answer.Nanoseconds)}";
}
