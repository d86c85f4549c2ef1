using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.LiveClusters.InMemory;

/// <content>Applies the steps of the plan to the cluster.</content>
internal sealed partial class ByteRun
{
    protected override void Publish(NodeState node, in SimulationStep step, long number) =>
        node.Clients[step.Client].Publish(step.Topic, step.Qos, number, step.PayloadBytes);

    protected override void Subscribe(NodeState node, int place)
    {
        ref readonly var subscriber = ref Subscriptions.All[place];
        if (node.Serves)
            node.Clients[subscriber.Client].Subscribe(subscriber.Filter, subscriber.Qos);
    }

    protected override void Unsubscribe(NodeState node, int place)
    {
        ref readonly var subscriber = ref Subscriptions.All[place];
        if (node.Serves)
            node.Clients[subscriber.Client].Unsubscribe(subscriber.Filter);
    }

    protected override void Freeze(NodeState node) => node.Process!.Freeze();

    protected override void CatchUp(NodeState node) => _continuing.Enqueue(node.Process!);

    protected override void Disturb(in SimulationStep step, TopologyLink link)
    {
        Observe(step.Event, link.From, link.To, fault: step.Fault);
        switch (step.Fault)
        {
            case FaultKind.Cut when step.Begins:
                _links.Cut(step.Link);
                break;
            case FaultKind.Cut:
                _links.Mend(step.Link);
                break;
            case FaultKind.Partition when step.Begins:
                _links.Stall(step.Link);
                break;
            case FaultKind.Partition:
                _links.Release(step.Link);
                break;
            case FaultKind.Slow:
                _links.Slow(step.Link, step.Law!);
                break;
            default:
                throw UnknownFault(step.Fault);
        }
    }
}
