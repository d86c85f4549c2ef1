using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>One node: its protocol, its queue, and what it has noted.</summary>
internal sealed class SimulatedNode(ClusterSimulator simulator, int index, Law? service)
    : RunNode(index),
        IClusterOutput,
        IHopOutput
{
    public Law? Service { get; } = service;

    public IClusterCore Core { get; set; } = null!;

    /// <summary>The links that begin here, by their indices.</summary>
    public int[] Links { get; set; } = [];

    /// <summary>Until when its neighbours may need it, while it leaves.</summary>
    public long LeavesAt { get; set; }

    /// <summary>Whether a task is being done, so that the next begins when it is over.</summary>
    public bool IsServing { get; set; }

    /// <summary>The random number of the present process.</summary>
    public ulong Incarnation { get; set; }

    /// <summary>The number of its next publication.</summary>
    public long NextCounter { get; set; }

    /// <summary>The tasks that wait for the node.</summary>
    public Queue<NodeTask> Tasks { get; } = new();

    /// <summary>Multicasts that came while the process stood still.</summary>
    public Queue<(int Sender, PeerMessage Message)> Unheard { get; } = new();

    public void Send(int peer, in PeerMessage message) => simulator.Send(this, peer, message);

    public void Deliver(in RoutedMessage message) => simulator.Deliver(this, message);

    public void HandedUp(int peer, in RoutedMessage message) => simulator.HandUp(this, peer, message);

    public void Accept(long token) => simulator.Accept(this, token);

    public void Note(in ClusterNote note) => simulator.Note(Index, note);

    public void Open(int peer) => simulator.Open(this, peer);

    public void Transmit(int peer, in HopPacket packet) => simulator.Transmit(this, peer, packet);

    public void Connected(int peer) => simulator.Connected(this, peer);

    public void Answered(int peer) => simulator.Answered(this, peer);
}
