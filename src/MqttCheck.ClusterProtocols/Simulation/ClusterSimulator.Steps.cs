using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Statistics.Laws;

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

    protected override void Subscribe(SimulatedNode node, int place)
    {
        if (node.IsFrozen)
            Enqueue(node, new NodeTask(NodeTask.Subscribe, default, place));
        else if (node.Serves)
            BeginInterest(node, place);
    }

    protected override void Unsubscribe(SimulatedNode node, int place)
    {
        if (node.IsFrozen)
            Enqueue(node, new NodeTask(NodeTask.Unsubscribe, default, place));
        else if (Subscriptions.IsActive(place))
            EndInterest(node, place, tellsCore: true);
    }

    // Its tasks wait by themselves.
    protected override void Freeze(SimulatedNode node) { }

    protected override void CatchUp(SimulatedNode node)
    {
        HearMissed(node);
        if (node.Tasks.Count > 0)
            BeginTask(node);
        Rearm(node);
    }

    protected override void Disturb(in SimulationStep step, TopologyLink link)
    {
        var (there, back) = (_links[2 * step.Link], _links[(2 * step.Link) + 1]);
        Observe(step.Event, link.From, link.To, fault: step.Fault, value: DelayOf(step));
        switch (step.Fault)
        {
            case FaultKind.Cut:
                there.Cuts += step.Begins ? 1 : -1;
                back.Cuts += step.Begins ? 1 : -1;
                if (!step.Begins)
                    break;
                Break(2 * step.Link);
                Break((2 * step.Link) + 1);
                break;
            case FaultKind.Partition when step.Begins:
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
                throw UnknownFault(step.Fault);
        }
    }

    // Monitors compare the costs of paths where these are known: where delays do not vary.
    private static long DelayOf(in SimulationStep step) =>
        step.Law?.DelayMilliseconds is ConstantLaw constant ? SimulatedLink.ToNanoseconds(constant.Value) : -1;

    // Both ends are reset at once.
    private void Break(int index)
    {
        var link = _links[index];
        CloseReceiver(index);
        if (Nodes[link.Source].IsAlive)
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

    protected override void StartNode(SimulatedNode node)
    {
        if (node.IsAlive)
            return;
        (node.IsAlive, node.IsFrozen) = (true, false);
        node.Unheard.Clear();
        (node.Incarnation, node.NextCounter) = (node.Random.NextUInt64(), 0);
        node.Core.Start(node.Incarnation, _now);
        node.Core.ClientsChanged(_clients[node.Index], _now);
        foreach (var link in node.Links)
            _links[link].Hop.Start();
        for (var place = 0; place < Subscriptions.All.Length; place++)
            if (Subscriptions.All[place].Node == node.Index && Subscriptions.IsWanted(place))
                BeginInterest(node, place);
        Rearm(node);
    }

    // SIGTERM wakes a process that stands still.
    protected override void Leave(SimulatedNode node)
    {
        if (node.IsFrozen)
        {
            Wake(node);
            CatchUp(node);
        }
        Observe(ClusterEventKind.FaultBegan, node.Index, fault: FaultKind.Stop);
        node.IsLeaving = true;
        node.Core.ClientsChanged(0, _now);
        for (var place = 0; place < Subscriptions.All.Length; place++)
            if (Subscriptions.All[place].Node == node.Index && Subscriptions.IsActive(place))
                EndInterest(node, place, tellsCore: true);
        node.LeavesAt = node.Core.Leave(_now);
        Rearm(node);
    }

    // Neighbours have what was sent to them, or are given up.
    private long LeaveDue(SimulatedNode node)
    {
        var isDone = Array.TrueForAll(node.Links, link => _links[link].Hop.HasHandedOn);
        var due = Math.Max(node.LeavesAt, node.Core.StaysUntil);
        return isDone ? due : due + PeerHop.LeavePatienceNanoseconds;
    }

    protected override void KillNode(SimulatedNode node)
    {
        if (!node.IsAlive)
            return;
        for (var place = 0; place < Subscriptions.All.Length; place++)
            if (Subscriptions.All[place].Node == node.Index && Subscriptions.IsActive(place))
                EndInterest(node, place, tellsCore: false);
        (node.IsAlive, node.IsFrozen) = (false, false);
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
        var after = Plan.NoticeMilliseconds is { } law
            ? SimulatedLink.ToNanoseconds(law.Draw(ref Nodes[link.Source].Random))
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
        if (Nodes[link.Source].IsAlive && !link.Receiver.IsConnected)
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
