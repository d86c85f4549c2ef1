using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Simulation;

/// <content>What the plan does to the cluster.</content>
public sealed partial class ClusterSimulator
{
    private void TakeSteps()
    {
        while (_nextStep < _steps.Count && _steps[_nextStep].AtNanoseconds <= _now)
            Take(_steps[_nextStep++]);
        if (_nextStep < _steps.Count)
            Arm(StepSlot, _steps[_nextStep].AtNanoseconds);
    }

    private void Take(in SimulationStep step)
    {
        var node = _nodes[step.Node];
        switch (step.Kind)
        {
            case SimulationStepKind.Publish:
                Publish(node, step);
                break;
            case SimulationStepKind.Subscribe:
                Subscribe(node, _subscriptions.Find(step.Client, step.Topic));
                break;
            case SimulationStepKind.Unsubscribe:
                Unsubscribe(node, _subscriptions.Find(step.Client, step.Topic));
                break;
            case SimulationStepKind.Kill when node.IsAlive:
                Observe(ClusterEventKind.FaultBegan, node.Index, topic: FaultNames.Kill);
                KillNode(node);
                break;
            case SimulationStepKind.Start when !node.IsAlive:
                Observe(ClusterEventKind.FaultEnded, node.Index, topic: FaultNames.Kill);
                StartNode(node);
                break;
            case SimulationStepKind.Freeze when node is { IsAlive: true, IsFrozen: false }:
                Observe(ClusterEventKind.FaultBegan, node.Index, topic: FaultNames.Freeze);
                node.IsFrozen = true;
                break;
            case SimulationStepKind.Continue when node.IsFrozen:
                Observe(ClusterEventKind.FaultEnded, node.Index, topic: FaultNames.Freeze);
                Continue(node);
                break;
            case SimulationStepKind.Cut:
            case SimulationStepKind.Mend:
            case SimulationStepKind.Stall:
            case SimulationStepKind.Release:
            case SimulationStepKind.Slow:
                Disturb(step);
                break;
        }
    }

    private void Subscribe(SimulatedNode node, int place)
    {
        if (place < 0 || _subscriptions.IsWanted(place))
            return;
        _subscriptions.IsWanted(place) = true;
        if (node.IsFrozen)
            Enqueue(node, new NodeTask(NodeTask.Subscribe, default, place));
        else if (node.IsAlive)
            BeginInterest(node, place);
    }

    private void Unsubscribe(SimulatedNode node, int place)
    {
        if (place < 0 || !_subscriptions.IsWanted(place))
            return;
        _subscriptions.IsWanted(place) = false;
        if (node.IsFrozen)
            Enqueue(node, new NodeTask(NodeTask.Unsubscribe, default, place));
        else if (_subscriptions.IsActive(place))
            EndInterest(node, place, tellsCore: true);
    }

    private void Continue(SimulatedNode node)
    {
        node.IsFrozen = false;
        HearMissed(node);
        if (node.Tasks.Count > 0)
            BeginTask(node);
        Rearm(node);
    }

    private void Disturb(in SimulationStep step)
    {
        var (there, back) = (_links[2 * step.Link], _links[(2 * step.Link) + 1]);
        var (kind, name) = step.LinkFault;
        Observe(kind, there.Source, there.Target, topic: name);
        switch (step.Kind)
        {
            case SimulationStepKind.Cut:
                there.Cuts++;
                back.Cuts++;
                Break(2 * step.Link);
                Break((2 * step.Link) + 1);
                break;
            case SimulationStepKind.Mend:
                there.Cuts--;
                back.Cuts--;
                break;
            case SimulationStepKind.Stall:
                there.Stalls++;
                back.Stalls++;
                break;
            case SimulationStepKind.Release:
                Release(2 * step.Link);
                Release((2 * step.Link) + 1);
                break;
            case SimulationStepKind.Slow:
                there.Use(step.Law!);
                back.Use(step.Law!);
                break;
        }
    }

    // Both ends are reset at once.
    private void Break(int index)
    {
        var link = _links[index];
        CloseReceiver(index);
        if (_nodes[link.Source].IsAlive)
            CloseHop(index);
        else
            link.Generation++;
    }

    private void Release(int index)
    {
        var link = _links[index];
        if (link.Stalls == 0 || --link.Stalls > 0 || link.Queue.Count == 0)
            return;
        Arm(index, Math.Max(_now, link.Queue.First.ArrivesAt));
    }
}
