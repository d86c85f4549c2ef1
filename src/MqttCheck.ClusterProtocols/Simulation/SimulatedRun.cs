using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>
/// Takes the steps of a plan and tells what happens. A level, that of frames or that of bytes, says what a process, a
/// client or a link does then.
/// </summary>
/// <typeparam name="TNode">A node at that level.</typeparam>
internal abstract class SimulatedRun<TNode>(SimulationPlan plan, IClusterEventSink? observer)
    where TNode : RunNode
{
    /// <summary>The plan.</summary>
    protected SimulationPlan Plan { get; } = plan;

    /// <summary>Takes the events; null if nobody asks for them.</summary>
    protected IClusterEventSink? Observer { get; } = observer;

    /// <summary>The subscriptions of the plan's clients.</summary>
    protected SubscriptionTable Subscriptions { get; } = new SubscriptionTable(plan.Steps, plan.Topology.Nodes.Count);

    /// <summary>The nodes in the order of the topology.</summary>
    protected TNode[] Nodes { get; init; } = [];

    /// <summary>The number of the next publication.</summary>
    protected long NextNumber { get; set; }

    /// <summary>The present time, in nanoseconds.</summary>
    protected abstract long Now { get; }

    /// <summary>The traffic so far.</summary>
    protected SimulationTotals Traffic;

    /// <summary>A node's protocol has decided something.</summary>
    public void Note(int node, in ClusterNote note)
    {
        if (note.Kind == ClusterNoteKind.Drop)
            Traffic.Dropped++;
        Observer?.Add(note.ToEvent(node, Now));
    }

    /// <summary>Does what a step says.</summary>
    protected void Take(in SimulationStep step)
    {
        var node = Nodes[step.Node];
        switch (step.Kind)
        {
            case SimulationStepKind.Publish when node.Serves:
                Traffic.Published++;
                Observe(
                    ClusterEventKind.Published,
                    node.Index,
                    client: step.Client,
                    message: NextNumber,
                    topic: step.Topic,
                    qos: (int)step.Qos
                );
                Publish(node, step, NextNumber++);
                break;
            case SimulationStepKind.Subscribe or SimulationStepKind.Unsubscribe:
                Want(node, step);
                break;
            case SimulationStepKind.FaultBegins or SimulationStepKind.FaultEnds:
                if (step.Fault.Shape() == FaultShape.Node)
                    Change(node, step);
                else
                    Disturb(step, Plan.Topology.Links[step.Link]);
                break;
        }
    }

    /// <summary>A client publishes.</summary>
    protected abstract void Publish(TNode node, in SimulationStep step, long number);

    /// <summary>A client begins to want what a subscription brings.</summary>
    protected abstract void Subscribe(TNode node, int place);

    /// <summary>It does not want it any more.</summary>
    protected abstract void Unsubscribe(TNode node, int place);

    /// <summary>A process starts, if none runs.</summary>
    protected abstract void StartNode(TNode node);

    /// <summary>The process of a node ends.</summary>
    protected abstract void KillNode(TNode node);

    /// <summary>A node is told to end, and tells so.</summary>
    protected abstract void Leave(TNode node);

    /// <summary>A process begins to stand still.</summary>
    protected abstract void Freeze(TNode node);

    /// <summary>A process that stood still catches up.</summary>
    protected abstract void CatchUp(TNode node);

    /// <summary>A fault of a link begins or ends.</summary>
    protected abstract void Disturb(in SimulationStep step, TopologyLink link);

    /// <summary>The answer to a fault that no level knows.</summary>
    protected InputException UnknownFault(FaultKind kind) =>
        kind.Refusal(Plan.Topology.Name, "simulated", FaultKinds.Simulated);

    /// <summary>A node that has left ends, and starts again if it was told so meanwhile.</summary>
    protected void End(TNode node)
    {
        var startsAgain = node.StartsAgain;
        KillNode(node);
        if (startsAgain)
            Restart(node);
    }

    /// <summary>A process that stands still is woken.</summary>
    protected void Wake(TNode node)
    {
        Observe(ClusterEventKind.FaultEnded, node.Index, fault: FaultKind.Freeze);
        node.IsFrozen = false;
    }

    /// <summary>A subscription is no longer in force.</summary>
    protected void EndSubscription(int place)
    {
        Subscriptions.IsActive(place) = false;
        Observe(ClusterEventKind.Unsubscribed, Subscriptions.All[place]);
    }

    /// <summary>Tells of a subscription.</summary>
    protected void Observe(ClusterEventKind kind, in SubscriptionTable.Subscriber subscriber) =>
        Observe(kind, subscriber.Node, client: subscriber.Client, topic: subscriber.Filter, qos: (int)subscriber.Qos);

    /// <summary>Tells of something that happens.</summary>
    protected void Observe(
        ClusterEventKind kind,
        int node,
        int peer = -1,
        int client = -1,
        long message = -1,
        string topic = "",
        int qos = 0,
        int bytes = 0,
        FaultKind fault = FaultKind.None,
        long value = 0
    ) =>
        Observer?.Add(
            new ClusterEvent
            {
                Nanoseconds = Now,
                Kind = kind,
                Node = node,
                Peer = peer,
                Client = client,
                Message = message,
                Topic = topic,
                Qos = qos,
                Bytes = bytes,
                Fault = fault,
                Value = value,
            }
        );

    private void Want(TNode node, in SimulationStep step)
    {
        var place = Subscriptions.Find(step.Client, step.Topic);
        var isWanted = step.Kind == SimulationStepKind.Subscribe;
        if (place < 0 || Subscriptions.IsWanted(place) == isWanted)
            return;
        Subscriptions.IsWanted(place) = isWanted;
        if (isWanted)
            Subscribe(node, place);
        else
            Unsubscribe(node, place);
    }

    private void Change(TNode node, in SimulationStep step)
    {
        switch (step.Fault)
        {
            case FaultKind.Kill or FaultKind.Stop or FaultKind.Join when step.StartsProcess:
                if (!node.IsAlive)
                    Restart(node);
                else if (node.IsLeaving)
                    node.StartsAgain = true;
                break;
            case FaultKind.Kill when node.IsAlive:
                Observe(ClusterEventKind.FaultBegan, node.Index, fault: FaultKind.Kill);
                KillNode(node);
                break;
            case FaultKind.Stop when node.Serves:
                Leave(node);
                break;
            case FaultKind.Freeze when step.Begins && node is { Serves: true, IsFrozen: false }:
                Observe(ClusterEventKind.FaultBegan, node.Index, fault: FaultKind.Freeze);
                node.IsFrozen = true;
                Freeze(node);
                break;
            case FaultKind.Freeze when !step.Begins && node is { IsAlive: true, IsFrozen: true }:
                Wake(node);
                CatchUp(node);
                break;
            case FaultKind.Kill or FaultKind.Stop or FaultKind.Freeze:
                break;
            default:
                throw UnknownFault(step.Fault);
        }
    }

    private void Restart(TNode node)
    {
        Observe(ClusterEventKind.FaultEnded, node.Index, fault: FaultKind.Kill);
        StartNode(node);
    }
}
