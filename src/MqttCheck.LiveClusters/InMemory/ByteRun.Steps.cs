using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;

namespace MqttCheck.LiveClusters.InMemory;

/// <content>Applies the steps of the plan to the cluster.</content>
internal sealed partial class ByteRun
{
    private void Take(SimulationStep step)
    {
        var node = _nodes[step.Node];
        switch (step.Kind)
        {
            case SimulationStepKind.Publish when node.Serves:
                Publish(node, step);
                break;
            case SimulationStepKind.Subscribe:
                TakeSubscribe(node, _subscriptions.Find(step.Client, step.Topic));
                break;
            case SimulationStepKind.Unsubscribe:
                TakeUnsubscribe(node, step.Client, _subscriptions.Find(step.Client, step.Topic));
                break;
            case SimulationStepKind.Kill when node.Process is not null:
                Observe(ClusterEventKind.FaultBegan, step.Node, fault: FaultKind.Kill);
                KillNode(step.Node);
                break;
            case SimulationStepKind.Leave when node.Serves:
                if (node.IsFrozen)
                    Observe(ClusterEventKind.FaultEnded, step.Node, fault: FaultKind.Freeze);
                Observe(ClusterEventKind.FaultBegan, step.Node, fault: FaultKind.Stop);
                Leave(step.Node);
                break;
            case SimulationStepKind.Start when node.Process is null:
                Restart(step.Node);
                break;
            case SimulationStepKind.Start when node.IsLeaving:
                node.StartsAgain = true;
                break;
            case SimulationStepKind.Freeze when node is { Process: { } process, IsFrozen: false, IsLeaving: false }:
                Observe(ClusterEventKind.FaultBegan, step.Node, fault: FaultKind.Freeze);
                node.IsFrozen = true;
                process.Freeze();
                break;
            case SimulationStepKind.Continue when node is { Process: { } process, IsFrozen: true }:
                Observe(ClusterEventKind.FaultEnded, step.Node, fault: FaultKind.Freeze);
                node.IsFrozen = false;
                _continuing.Enqueue(process);
                break;
            case SimulationStepKind.Cut
            or SimulationStepKind.Mend
            or SimulationStepKind.Stall
            or SimulationStepKind.Release
            or SimulationStepKind.Slow:
                Disturb(step);
                break;
        }
    }

    private void Publish(NodeState node, in SimulationStep step)
    {
        _totals.Published++;
        Observe(
            ClusterEventKind.Published,
            step.Node,
            client: step.Client,
            message: _nextNumber,
            topic: step.Topic,
            qos: (int)step.Qos
        );
        node.Clients[step.Client].Publish(step.Topic, step.Qos, _nextNumber++, step.PayloadBytes);
    }

    private void TakeSubscribe(NodeState node, int place)
    {
        if (place < 0 || _subscriptions.IsWanted(place))
            return;
        _subscriptions.IsWanted(place) = true;
        if (node.Serves)
            Subscribe(place);
    }

    private void TakeUnsubscribe(NodeState node, int client, int place)
    {
        if (place < 0 || !_subscriptions.IsWanted(place))
            return;
        _subscriptions.IsWanted(place) = false;
        if (node.Serves)
            node.Clients[client].Unsubscribe(_subscriptions.All[place].Filter);
    }

    private void Disturb(in SimulationStep step)
    {
        var link = _topology.Links[step.Link];
        var (kind, fault) = step.LinkFault;
        Observe(kind, link.From, link.To, fault: fault);
        switch (step.Kind)
        {
            case SimulationStepKind.Cut:
                _links.Cut(step.Link);
                break;
            case SimulationStepKind.Mend:
                _links.Mend(step.Link);
                break;
            case SimulationStepKind.Stall:
                _links.Stall(step.Link);
                break;
            case SimulationStepKind.Release:
                _links.Release(step.Link);
                break;
            default:
                _links.Slow(step.Link, step.Law!);
                break;
        }
    }
}
