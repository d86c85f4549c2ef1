using System.Diagnostics;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Events;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <content>What nodes and their clients do.</content>
internal sealed partial class ClusterSimulator
{
    /// <summary>A node's protocol sends a message.</summary>
    internal void Send(SimulatedNode node, int peer, in PeerMessage message)
    {
        if (peer == IClusterOutput.Everyone)
            Broadcast(node, message);
        else
            _links[LinkIndex(node, peer)].Hop.Send(message);
    }

    /// <summary>A node's protocol lets the acknowledgement of a publication go.</summary>
    internal void Accept(SimulatedNode node, long token)
    {
        if (Observer is not null)
            Observe(
                ClusterEventKind.Acknowledged,
                node.Index,
                message: _numbers.GetValueOrDefault((node.Index, node.Incarnation, token), -1)
            );
    }

    /// <summary>A message for the subscribers of a node.</summary>
    internal void Deliver(SimulatedNode node, in RoutedMessage message)
    {
        foreach (var place in Subscriptions.Matching(node.Index, message.Topic))
        {
            if (!Subscriptions.IsActive(place))
                continue;
            if (Plan.DeliveryMilliseconds is null)
                Hand(node, place, message);
            else
                Enqueue(node, new NodeTask(NodeTask.Delivery, PublicationPacket(message), place));
        }
    }

    private void Hand(SimulatedNode node, int place, in RoutedMessage message)
    {
        if (!Subscriptions.IsActive(place))
            return;
        Traffic.Delivered++;
        if (Observer is null)
            return;
        ref readonly var subscriber = ref Subscriptions.All[place];
        Observe(
            ClusterEventKind.Delivered,
            node.Index,
            client: subscriber.Client,
            message: NumberOf(message),
            topic: message.Topic,
            qos: (int)(subscriber.Qos < message.Qos ? subscriber.Qos : message.Qos)
        );
    }

    // One broadcast domain: what a node announces reaches all others after the time of a local network.
    private void Broadcast(SimulatedNode node, in PeerMessage message)
    {
        foreach (var (from, until) in Plan.LostAnnouncements)
            if (_now >= from && _now < until)
                return;
        _broadcasts.Enqueue((_now + BroadcastNanoseconds, node.Index, message));
        if (_broadcasts.Count == 1)
            Arm(BroadcastSlot, _broadcasts.Peek().At);
    }

    // A process that stands still finds the datagrams in its socket when it goes on.
    private void HearMissed(SimulatedNode node)
    {
        while (node.Unheard.TryDequeue(out var missed))
            node.Core.Receive(missed.Sender, missed.Message, _now);
    }

    private void HearBroadcasts()
    {
        while (_broadcasts.Count > 0 && _broadcasts.Peek().At <= _now)
        {
            var (_, sender, message) = _broadcasts.Dequeue();
            foreach (var node in Nodes)
            {
                if (node.Index == sender || !node.IsAlive || IsLost(node))
                    continue;
                if (node.IsFrozen)
                {
                    node.Unheard.Enqueue((sender, message));
                    continue;
                }
                node.Core.Receive(sender, message, _now);
                Rearm(node);
            }
        }
        if (_broadcasts.Count > 0)
            Arm(BroadcastSlot, _broadcasts.Peek().At);
    }

    private bool IsLost(SimulatedNode receiver) =>
        Plan.Topology.Overlay.AnnounceLoss is > 0 and var loss && receiver.Random.NextDouble() < loss;

    private void Enqueue(SimulatedNode node, in NodeTask task)
    {
        node.Tasks.Enqueue(task);
        if (node is { IsFrozen: false, IsServing: false, Tasks.Count: 1 })
            BeginTask(node);
    }

    private void BeginTask(SimulatedNode node)
    {
        var law = node.Tasks.Peek().Link switch
        {
            NodeTask.Delivery => Plan.DeliveryMilliseconds,
            NodeTask.Subscribe or NodeTask.Unsubscribe => null,
            _ => node.Service,
        };
        var takes = law is null ? 0 : SimulatedLink.ToNanoseconds(law.Draw(ref node.Random));
        Arm(ServiceSlot(node.Index), _now + takes);
    }

    private void FinishTask(SimulatedNode node)
    {
        if (!node.IsAlive || node.IsFrozen || !node.Tasks.TryDequeue(out var task))
            return;
        node.IsServing = true;
        if (task.IsEnd)
            LoseIfOpen(task);
        else if (task.Link == NodeTask.Delivery)
            Hand(node, task.Owner, task.Packet.Message.Data);
        else if (task.Link == NodeTask.Subscribe)
        {
            if (!node.IsLeaving)
                BeginInterest(node, task.Owner);
        }
        else if (task.Link == NodeTask.Unsubscribe)
            EndInterest(node, task.Owner, tellsCore: true);
        else if (task.Link < 0)
            TakePublication(node, task.Packet.Message.Data);
        else
            Process(node, task.Link, task.Packet, task.Owner);
        node.IsServing = false;
        if (node.Tasks.Count > 0)
            BeginTask(node);
    }

    private void LoseIfOpen(in NodeTask task)
    {
        _links[task.Link ^ 1].Receiver.Closed();
        if (_links[task.Link].Opens == task.Owner)
            LoseHop(task.Link);
    }

    protected override void Publish(SimulatedNode node, in SimulationStep step, long number)
    {
        var message = new RoutedMessage
        {
            Origin = node.Index,
            Incarnation = node.Incarnation,
            Counter = node.NextCounter++,
            Topic = step.Topic,
            Qos = step.Qos,
            PayloadBytes = step.PayloadBytes,
        };
        if (Observer is not null)
            _numbers[(message.Origin, message.Incarnation, message.Counter)] = number;
        if (node.IsFrozen || node.Service is not null || node.Tasks.Count > 0)
            Enqueue(node, new NodeTask(-1, PublicationPacket(message), 0));
        else
            TakePublication(node, message);
    }

    private static HopPacket PublicationPacket(in RoutedMessage message) =>
        HopPacket.Publish(PeerMessage.Of(message), message.Qos, packetId: 0, duplicate: false);

    private void TakePublication(SimulatedNode node, in RoutedMessage message)
    {
        Deliver(node, message);
        node.Core.Published(message, _now);
        Rearm(node);
    }

    private void BeginInterest(SimulatedNode node, int place)
    {
        ref readonly var subscriber = ref Subscriptions.All[place];
        var isFirst = !Subscriptions.HasOther(place);
        Subscriptions.IsActive(place) = true;
        Observe(ClusterEventKind.Subscribed, subscriber);
        if (isFirst)
            node.Core.InterestBegan(subscriber.Filter, _now);
    }

    private void EndInterest(SimulatedNode node, int place, bool tellsCore)
    {
        EndSubscription(place);
        if (tellsCore && !Subscriptions.HasOther(place))
            node.Core.InterestEnded(Subscriptions.All[place].Filter, _now);
    }
}
