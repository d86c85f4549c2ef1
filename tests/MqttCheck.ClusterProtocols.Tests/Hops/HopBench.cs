using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Tests.Hops;

/// <summary>
/// Both halves of a link with a channel between them. The test decides when packets are handed on, and when the
/// connection breaks, with what was under way.
/// </summary>
internal sealed class HopBench : IHopOutput
{
    private readonly Queue<HopPacket> _there = new();
    private readonly Queue<HopPacket> _back = new();
    private long _now;

    public HopBench(HopOptions options) => Hop = new PeerHop(1, options, this);

    public PeerHop Hop { get; }

    public PeerReceiver Receiver { get; } = new();

    /// <summary>The counters of the messages that the receiver took for new, in order.</summary>
    public List<long> Received { get; } = [];

    /// <summary>Every packet that was sent there, in words.</summary>
    public List<string> Sent { get; } = [];

    public int Opens { get; private set; }

    public bool IsOpen { get; private set; }

    public int UnderWay => _there.Count + _back.Count;

    public static RoutedMessage Message(long counter, QualityOfService qos) =>
        new()
        {
            Origin = 0,
            Incarnation = 1,
            Counter = counter,
            Topic = "t",
            Qos = qos,
        };

    /// <summary>The channel lets the connection come about.</summary>
    public HopBench Connect()
    {
        IsOpen = true;
        Hop.Opened();
        return this;
    }

    /// <summary>The connection breaks, and what is under way is lost.</summary>
    public HopBench Break()
    {
        _there.Clear();
        _back.Clear();
        IsOpen = false;
        Receiver.Closed();
        Hop.Closed(_now);
        return this;
    }

    /// <summary>The pause before the next attempt passes.</summary>
    public HopBench Wait()
    {
        _now = Hop.NextDue;
        Hop.Tick(_now);
        return this;
    }

    /// <summary>The pause passes, the connection comes about, and all packets are handed on.</summary>
    public HopBench Reconnect() => Wait().Connect().Settle();

    /// <summary>Offers a message of each quality of service, numbered from 0.</summary>
    public HopBench Offer(params QualityOfService[] qos)
    {
        for (var i = 0; i < qos.Length; i++)
            Hop.Offer(Message(i, qos[i]));
        return this;
    }

    /// <summary>Hands on the next packet in a direction.</summary>
    public bool Step(bool there)
    {
        if (there && _there.TryDequeue(out var packet))
        {
            if (Receiver.Receive(packet, out var answer, out var answers))
                Received.Add(packet.Message.Data.Counter);
            if (answers)
                _back.Enqueue(answer);
            return true;
        }
        if (there || !_back.TryDequeue(out packet))
            return false;
        Hop.Receive(packet);
        return true;
    }

    /// <summary>Hands on packets until none is under way.</summary>
    public HopBench Settle()
    {
        while (Step(there: true) || Step(there: false)) { }
        return this;
    }

    public void Open(int peer) => Opens++;

    public void Transmit(int peer, in HopPacket packet)
    {
        Sent.Add(
            packet.Kind == HopPacketKind.Publish
                ? $"PUBLISH {packet.Message.Data.Counter} id {packet.PacketId}{(packet.Flag ? " dup" : "")}"
                : $"{packet.Kind.ToString().ToUpperInvariant()} {packet.PacketId}{(packet.Flag ? " clean" : "")}"
        );
        _there.Enqueue(packet);
    }

    public void Connected(int peer) { }

    public void Answered(int peer) => Sent.Add("answered");
}
