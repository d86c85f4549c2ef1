using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Events;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <content>Packets and connections on the links.</content>
internal sealed partial class ClusterSimulator
{
    /// <summary>A node opens the connection of a link.</summary>
    internal void Open(SimulatedNode node, int peer)
    {
        var index = LinkIndex(node, peer);
        var link = _links[index];
        link.Generation++;
        link.Opens++;
        link.IsLost = false;
        if (link.Cuts > 0)
            Refuse(index);
        else
            link.Hop.Opened();
    }

    /// <summary>A node's hop sends a packet.</summary>
    internal void Transmit(SimulatedNode node, int peer, in HopPacket packet)
    {
        var index = LinkIndex(node, peer);
        if (packet.Kind == HopPacketKind.Publish && packet.Message.Kind == PeerMessageKind.Data)
            Traffic.DataPublishes++;
        Put(index, _links[index].Generation, packet, _links[index].IsLost);
    }

    private void Put(int index, int generation, in HopPacket packet, bool isLost)
    {
        var bytes = HopBytes.Of(packet);
        Traffic.Bytes += bytes;
        if (IsSignalling(packet))
            Traffic.SignallingBytes += bytes;
        var link = _links[index];
        if (packet.Kind == HopPacketKind.Publish && packet.Message.Kind == PeerMessageKind.Data)
            ObserveMessage(ClusterEventKind.Sent, link.Source, link.Target, packet.Message.Data, bytes);
        // The system drops what is written to a connection that has ended.
        if (isLost)
            return;
        ref var frame = ref link.Send(bytes, _now);
        (frame.Generation, frame.IsReset, frame.Packet) = (generation, false, packet);
        if (link.Stalls == 0)
            Arm(index, link.Queue.First.ArrivesAt);
    }

    private static bool IsSignalling(in HopPacket packet) =>
        packet.Kind is HopPacketKind.Pingreq or HopPacketKind.Pingresp
        || (packet.Kind == HopPacketKind.Publish && packet.Message.Kind == PeerMessageKind.Control);

    // The connection of a link cannot be opened, or its other end is gone: a reset comes back.
    private void Refuse(int index)
    {
        var back = _links[index ^ 1];
        ref var frame = ref back.Send(0, _now);
        (frame.Generation, frame.IsReset) = (_links[index].Generation, true);
        frame.Packet = HopPacket.Of(HopPacketKind.Connack);
        if (back.Stalls == 0)
            Arm(index ^ 1, back.Queue.First.ArrivesAt);
    }

    private void ArriveAll(int index)
    {
        var link = _links[index];
        while (link is { Stalls: 0, Queue.Count: > 0 } && link.Queue.First.ArrivesAt <= _now && !_isOver)
        {
            var frame = link.Queue.First;
            link.Queue.RemoveFirst();
            if (frame.IsReset)
                TakeReset(index, frame.Generation);
            else
                Arrive(index, frame);
        }
        if (link is { Stalls: 0, Queue.Count: > 0 })
            Arm(index, Math.Max(_now, link.Queue.First.ArrivesAt));
    }

    // A reset arrives at a link's target: the connection that the target has opened is gone.
    private void TakeReset(int index, int generation)
    {
        var opened = _links[index ^ 1];
        if (opened.Generation != generation || !Nodes[opened.Source].IsAlive)
            return;
        CloseReceiver(index);
        CloseHop(index ^ 1);
    }

    private void Arrive(int index, in Frame frame)
    {
        Traffic.Packets++;
        if (Traffic.Packets > Plan.MostPackets)
            (_isOver, Traffic.IsCutShort) = (true, true);
        var link = _links[index];
        var target = Nodes[link.Target];
        var isAnswer = IsAnswer(frame.Packet.Kind);
        var owner = isAnswer ? index ^ 1 : index;
        // A connection that has ended meanwhile takes its packets with it.
        if (_links[owner].Generation != frame.Generation)
            return;
        Traffic.Count(frame.Packet.Kind);
        if (!target.IsAlive)
        {
            // If the plan states when neighbours notice the end of a process, only a CONNECT is refused before that
            // time.
            if (frame.Packet.Kind == HopPacketKind.Connect || (!isAnswer && Plan.NoticeMilliseconds is null))
                Refuse(index);
            return;
        }
        if (frame.Packet.Kind == HopPacketKind.Connect)
            link.Reached = frame.Generation;
        if (target.IsFrozen || target.Service is not null || target.Tasks.Count > 0)
            Enqueue(target, new NodeTask(index, frame.Packet, frame.Generation));
        else
            Process(target, index, frame.Packet, frame.Generation);
    }

    private static bool IsAnswer(HopPacketKind kind) =>
        kind
            is HopPacketKind.Connack
                or HopPacketKind.Puback
                or HopPacketKind.Pubrec
                or HopPacketKind.Pubcomp
                or HopPacketKind.Pingresp;

    private void Process(SimulatedNode target, int index, in HopPacket packet, int owner)
    {
        if (IsAnswer(packet.Kind))
        {
            _links[index ^ 1].Hop.Receive(packet);
        }
        else
        {
            var link = _links[index];
            if (packet.Kind == HopPacketKind.Connect)
                Accepting(index, owner);
            else if (!link.Receiver.IsConnected || link.Accepted != owner)
                return;
            var isNew = link.Receiver.Receive(packet, out var answer, out var answers);
            if (answers)
                Put(index ^ 1, owner, answer, owner <= link.LostByTarget);
            if (packet.Kind == HopPacketKind.Connect)
            {
                _links[index ^ 1].Hop.PeerSeen();
                RaiseLink(index ^ 1);
            }
            else if (isNew)
            {
                if (packet.Message.Kind == PeerMessageKind.Data && packet.Message.Data.HopSequence == 0)
                    ObserveMessage(ClusterEventKind.Received, link.Target, link.Source, packet.Message.Data, 0);
                target.Core.Receive(link.Source, packet.Message, _now);
            }
        }
        Rearm(target);
    }

    // The peer may be a new process. In that case the connection to its predecessor is gone.
    private void Accepting(int index, int owner)
    {
        var (link, back) = (_links[index], _links[index ^ 1]);
        link.Accepted = owner;
        link.AcceptedBy = Nodes[link.Target].Incarnation;
        if (back.Hop.IsConnected && back.AcceptedBy != Nodes[link.Source].Incarnation)
            CloseHop(index ^ 1);
    }

    /// <summary>A node's hop with a queue of its own hands a peer's message to the protocol.</summary>
    internal void HandUp(SimulatedNode node, int peer, in RoutedMessage message) =>
        ObserveMessage(ClusterEventKind.Received, node.Index, peer, message, 0);

    /// <summary>The peer has accepted a node's connection.</summary>
    internal void Connected(SimulatedNode node, int peer) => RaiseLink(LinkIndex(node, peer));

    /// <summary>The peer has answered a node's ping.</summary>
    internal void Answered(SimulatedNode node, int peer) => node.Core.Receive(peer, PeerMessage.Pong, _now);

    // A link is up for its source when the connections in both directions are.
    private void RaiseLink(int index)
    {
        var link = _links[index];
        if (link.IsUp || !link.Hop.IsConnected || !_links[index ^ 1].Receiver.IsConnected)
            return;
        link.IsUp = true;
        Nodes[link.Source].Core.LinkUp(link.Target, _now);
    }

    // The connection that a link's source has opened is closed for it.
    private void CloseHop(int index)
    {
        var link = _links[index];
        link.Generation++;
        var source = Nodes[link.Source];
        // A process that stands still learns of it when it goes on.
        if (!source.IsFrozen)
        {
            LoseHop(index);
            return;
        }
        link.IsLost = true;
        Enqueue(source, new NodeTask(index, default, link.Opens, IsEnd: true));
    }

    // The connection of a link's source is closed at its target.
    private void CloseReceiver(int index)
    {
        var link = _links[index];
        if (Nodes[link.Target].IsFrozen)
            link.LostByTarget = link.Reached;
        else
            link.Receiver.Closed();
    }

    private void LoseHop(int index)
    {
        var link = _links[index];
        link.Hop.Closed(_now);
        LowerLink(index);
        Rearm(Nodes[link.Source]);
    }

    private void LowerLink(int index)
    {
        var link = _links[index];
        if (!link.IsUp)
            return;
        link.IsUp = false;
        Nodes[link.Source].Core.LinkDown(link.Target, LinkEnd.Closed, _now);
    }
}
