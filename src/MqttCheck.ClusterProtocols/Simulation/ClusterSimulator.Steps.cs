using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <content>What the plan does to the cluster, and how processes of nodes begin and end.</content>
internal sealed partial class ClusterSimulator
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
            case SimulationStepKind.FaultBegins or SimulationStepKind.FaultEnds:
                if (step.Fault.Shape() == FaultShape.Node)
                    Change(node, step);
                else
                    Disturb(step);
                break;
        }
    }

    private void Change(SimulatedNode node, in SimulationStep step)
    {
        var begins = step.Begins;
        switch (step.Fault)
        {
            case FaultKind.Kill or FaultKind.Stop or FaultKind.Join when step.StartsProcess:
                if (!node.IsAlive)
                    Restart(node);
                else if (node.IsLeaving)
                    node.StartsAgain = true;
                break;
            case FaultKind.Kill:
                if (node.IsAlive)
                    Kill(node);
                break;
            case FaultKind.Stop:
                if (node is { IsAlive: true, IsLeaving: false })
                    Leave(node);
                break;
            case FaultKind.Freeze:
                if (!begins && node.IsFrozen)
                    Continue(node);
                else if (begins && node is { IsAlive: true, IsFrozen: false, IsLeaving: false })
                    Freeze(node);
                break;
            default:
                throw UnknownFault(_plan.Topology, step.Fault);
        }
    }

    private void Subscribe(SimulatedNode node, int place)
    {
        if (place < 0 || _subscriptions.IsWanted(place))
            return;
        _subscriptions.IsWanted(place) = true;
        if (node.IsFrozen)
            Enqueue(node, new NodeTask(NodeTask.Subscribe, default, place));
        else if (node is { IsAlive: true, IsLeaving: false })
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

    private void Restart(SimulatedNode node)
    {
        Observe(ClusterEventKind.FaultEnded, node.Index, fault: FaultKind.Kill);
        StartNode(node);
    }

    private void Kill(SimulatedNode node)
    {
        Observe(ClusterEventKind.FaultBegan, node.Index, fault: FaultKind.Kill);
        KillNode(node);
    }

    private void Freeze(SimulatedNode node)
    {
        Observe(ClusterEventKind.FaultBegan, node.Index, fault: FaultKind.Freeze);
        node.IsFrozen = true;
    }

    private void Continue(SimulatedNode node)
    {
        Observe(ClusterEventKind.FaultEnded, node.Index, fault: FaultKind.Freeze);
        node.IsFrozen = false;
        HearMissed(node);
        if (node.Tasks.Count > 0)
            BeginTask(node);
        Rearm(node);
    }

    private void Disturb(in SimulationStep step)
    {
        var (there, back) = (_links[2 * step.Link], _links[(2 * step.Link) + 1]);
        var begins = step.Begins;
        Observe(step.Event, there.Source, there.Target, fault: step.Fault);
        switch (step.Fault)
        {
            case FaultKind.Cut:
                there.Cuts += begins ? 1 : -1;
                back.Cuts += begins ? 1 : -1;
                if (!begins)
                    break;
                Break(2 * step.Link);
                Break((2 * step.Link) + 1);
                break;
            case FaultKind.Partition when begins:
                there.Stalls++;
                back.Stalls++;
                break;
            case FaultKind.Partition:
                Release(2 * step.Link);
                Release((2 * step.Link) + 1);
                break;
            case FaultKind.Slow:
                there.Use(step.Law!);
                back.Use(step.Law!);
                break;
            default:
                throw UnknownFault(_plan.Topology, step.Fault);
        }
    }

    /// <summary>The refusal of a fault that is known neither at the level of frames nor at that of bytes.</summary>
    internal static InputException UnknownFault(Topology topology, FaultKind kind) =>
        kind.Refusal(
            topology.Name,
            "simulated",
            FaultKind.Kill,
            FaultKind.Stop,
            FaultKind.Freeze,
            FaultKind.Join,
            FaultKind.Cut,
            FaultKind.Partition,
            FaultKind.Slow
        );

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

    private void StartNode(SimulatedNode node)
    {
        if (node.IsAlive)
            return;
        (node.IsAlive, node.IsFrozen) = (true, false);
        node.Unheard.Clear();
        (node.Incarnation, node.NextCounter) = (node.Random.NextUInt64(), 0);
        node.Core.Start(node.Incarnation, _now);
        foreach (var link in node.Links)
            _links[link].Hop.Start();
        for (var place = 0; place < _subscriptions.All.Length; place++)
            if (_subscriptions.All[place].Node == node.Index && _subscriptions.IsWanted(place))
                BeginInterest(node, place);
        Rearm(node);
    }

    // SIGTERM wakes a process that stands still.
    private void Leave(SimulatedNode node)
    {
        if (node.IsFrozen)
            Continue(node);
        Observe(ClusterEventKind.FaultBegan, node.Index, fault: FaultKind.Stop);
        node.IsLeaving = true;
        for (var place = 0; place < _subscriptions.All.Length; place++)
            if (_subscriptions.All[place].Node == node.Index && _subscriptions.IsActive(place))
                EndInterest(node, place, tellsCore: true);
        node.LeavesAt = node.Core.Leave(_now);
        Rearm(node);
    }

    // Neighbours have what was sent to them, or are given up.
    private long LeaveDue(SimulatedNode node)
    {
        var isDone = Array.TrueForAll(node.Links, link => _links[link].Hop.HasHandedOn);
        return isDone ? node.LeavesAt : node.LeavesAt + PeerHop.LeavePatienceNanoseconds;
    }

    private void End(SimulatedNode node)
    {
        var startsAgain = node.StartsAgain;
        KillNode(node);
        if (startsAgain)
            Restart(node);
    }

    private void KillNode(SimulatedNode node)
    {
        if (!node.IsAlive)
            return;
        for (var place = 0; place < _subscriptions.All.Length; place++)
            if (_subscriptions.All[place].Node == node.Index && _subscriptions.IsActive(place))
                EndInterest(node, place, tellsCore: false);
        (node.IsAlive, node.IsFrozen, node.Root) = (false, false, -1);
        (node.IsLeaving, node.StartsAgain) = (false, false);
        node.Tasks.Clear();
        foreach (var index in node.Links)
        {
            var link = _links[index];
            link.Hop.Stop();
            link.IsUp = false;
            // Its packets are still under way: only the neighbour's notice ends the connections there.
            _links[index ^ 1].Receiver.Reset();
            Tell(index);
        }
    }

    // The system tells a neighbour that the process at the link's source has ended.
    private void Tell(int index)
    {
        var link = _links[index];
        var after = _plan.NoticeMilliseconds is { } law
            ? SimulatedLink.ToNanoseconds(law.Draw(ref _nodes[link.Source].Random))
            : -1;
        if (after < 0)
        {
            Refuse(index ^ 1);
            return;
        }
        var back = _links[index ^ 1];
        back.NoticeAt = Math.Min(back.NoticeAt, _now + after);
        Arm(NoticeSlot(index ^ 1), back.NoticeAt);
    }

    // The source of a link notices that the process at its target has ended.
    private void Notice(int index)
    {
        var link = _links[index];
        link.NoticeAt = long.MaxValue;
        // A process that has come back meanwhile has made itself known by its own connection.
        if (_nodes[link.Source].IsAlive && !link.Receiver.IsConnected)
        {
            _links[index ^ 1].Receiver.Closed();
            CloseHop(index);
        }
    }

    private void TickNode(SimulatedNode node)
    {
        if (!node.IsAlive || node.IsFrozen)
            return;
        foreach (var link in node.Links)
            if (_links[link].Hop.NextDue <= _now)
                _links[link].Hop.Tick(_now);
        if (node.Core.NextDue <= _now)
            node.Core.Tick(_now);
        if (node.IsLeaving && LeaveDue(node) <= _now)
            End(node);
        else
            Rearm(node);
    }

    private void Rearm(SimulatedNode node)
    {
        var due = node.Core.NextDue;
        foreach (var link in node.Links)
            due = Math.Min(due, _links[link].Hop.NextDue);
        if (node.IsLeaving)
            due = Math.Min(due, LeaveDue(node));
        if (due < long.MaxValue)
            Arm(TimerSlot(node.Index), Math.Max(due, _now));
    }
}
