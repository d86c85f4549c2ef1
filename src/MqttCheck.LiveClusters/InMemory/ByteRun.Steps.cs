using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Faults;

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
            case SimulationStepKind.FaultBegins or SimulationStepKind.FaultEnds:
                if (step.Fault.Shape() == FaultShape.Node)
                    Change(node, step);
                else
                    Disturb(step);
                break;
        }
    }

    private void Change(NodeState node, in SimulationStep step)
    {
        var begins = step.Begins;
        switch (step.Fault)
        {
            case FaultKind.Kill or FaultKind.Stop or FaultKind.Join when step.StartsProcess:
                if (node.Process is null)
                    Restart(step.Node);
                else if (node.IsLeaving)
                    node.StartsAgain = true;
                break;
            case FaultKind.Kill:
                if (node.Process is null)
                    break;
                Observe(ClusterEventKind.FaultBegan, step.Node, fault: FaultKind.Kill);
                KillNode(step.Node);
                break;
            case FaultKind.Stop:
                if (!node.Serves)
                    break;
                if (node.IsFrozen)
                    Observe(ClusterEventKind.FaultEnded, step.Node, fault: FaultKind.Freeze);
                Observe(ClusterEventKind.FaultBegan, step.Node, fault: FaultKind.Stop);
                Leave(step.Node);
                break;
            case FaultKind.Freeze:
                if (node.Process is not { } process || node.IsFrozen == begins || (begins && node.IsLeaving))
                    break;
                Observe(step.Event, step.Node, fault: FaultKind.Freeze);
                node.IsFrozen = begins;
                if (begins)
                    process.Freeze();
                else
                    _continuing.Enqueue(process);
                break;
            default:
                throw ClusterSimulator.UnknownFault(_topology, step.Fault);
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
        Observe(step.Event, link.From, link.To, fault: step.Fault);
        switch (step.Fault, step.Kind)
        {
            case (FaultKind.Cut, SimulationStepKind.FaultBegins):
                _links.Cut(step.Link);
                break;
            case (FaultKind.Cut, _):
                _links.Mend(step.Link);
                break;
            case (FaultKind.Partition, SimulationStepKind.FaultBegins):
                _links.Stall(step.Link);
                break;
            case (FaultKind.Partition, _):
                _links.Release(step.Link);
                break;
            case (FaultKind.Slow, _):
                _links.Slow(step.Link, step.Law!);
                break;
            default:
                throw ClusterSimulator.UnknownFault(_topology, step.Fault);
        }
    }
}
