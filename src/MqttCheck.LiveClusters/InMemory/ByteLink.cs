using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>
/// One direction between two nodes, with the law and the random stream that the simulator of frames gives it: each
/// packet draws for itself.
/// </summary>
/// <param name="source">The node at its beginning.</param>
/// <param name="target">The node at its end.</param>
/// <param name="law">How it treats packets.</param>
/// <param name="now">The time, in nanoseconds.</param>
/// <param name="arm">Has <see cref="ArriveNext"/> called at a time.</param>
internal sealed class ByteLink(int source, int target, TopologyLink law, Func<long> now, Action<long> arm)
{
    private readonly SimulatedLink _law = new(source, target, law);
    private readonly Queue<(long ArrivesAt, Action Arrive)> _underWay = new();

    public int Source { get; } = source;

    public int Target { get; } = target;

    /// <summary>The connection that the source has opened last.</summary>
    public ByteConnection? Current { get; set; }

    /// <summary>The number of the connection; it changes when one begins or ends.</summary>
    public int Generation { get; set; }

    /// <summary>How many cuts keep it from taking connections.</summary>
    public int Cuts { get; set; }

    /// <summary>How many partitions hold it.</summary>
    public int Stalls { get; private set; }

    /// <summary>Begins a run.</summary>
    public void Reset(ulong seed, ulong replication, ulong index) => _law.ResetLaw(seed, replication, index);

    /// <summary>Applies another delay, rate and loss from now on.</summary>
    public void Use(TopologyLink law) => _law.Use(law);

    /// <summary>Puts something on the link.</summary>
    /// <param name="bytes">Its size.</param>
    /// <param name="arrive">Called when it arrives.</param>
    public void Put(int bytes, Action arrive)
    {
        var at = _law.Send(bytes, now()).ArrivesAt;
        _law.Queue.RemoveFirst();
        _underWay.Enqueue((at, arrive));
        Arm();
    }

    /// <summary>Adds a partition, during which nothing on the link arrives.</summary>
    public void Stall() => Stalls++;

    /// <summary>Removes a partition.</summary>
    public void Release()
    {
        if (Stalls == 0)
            return;
        Stalls--;
        Arm();
    }

    /// <summary>Lets the first packet on the link arrive.</summary>
    /// <returns>Whether the next one is due at once.</returns>
    public bool ArriveNext()
    {
        if (!IsDue)
            return false;
        _underWay.Dequeue().Arrive();
        if (IsDue)
            return true;
        Arm();
        return false;
    }

    private bool IsDue => Stalls == 0 && _underWay.TryPeek(out var first) && first.ArrivesAt <= now();

    private void Arm()
    {
        if (Stalls == 0 && _underWay.TryPeek(out var first))
            arm(first.ArrivesAt);
    }
}
