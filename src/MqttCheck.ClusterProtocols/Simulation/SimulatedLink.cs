using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>
/// One direction of a link, and the connection that its source opens: packets of that connection pass here, their
/// answers pass the other direction.
/// </summary>
internal sealed class SimulatedLink
{
    private const int SegmentBytes = 1460;
    private const long MinimumRetransmission = 200_000_000;

    private readonly TopologyLink _ordinary;
    private Law _delay = null!;
    private long _constantDelay;
    private double _nanosecondsPerByte;
    private double _loss;
    private long _retransmission;
    private RandomStream _random;
    private long _freeAt;
    private long _lastArrival;

    public SimulatedLink(int source, int target, TopologyLink link)
    {
        (Source, Target, _ordinary) = (source, target, link);
        Use(link);
    }

    /// <summary>Has a delay, a rate and a loss from now on.</summary>
    public void Use(TopologyLink law)
    {
        (_delay, _loss) = (law.DelayMilliseconds, law.Loss);
        _constantDelay = _delay is ConstantLaw constant ? ToNanoseconds(constant.Value) : -1;
        _nanosecondsPerByte = law.BitsPerSecond is { } rate ? 8e9 / rate : 0;
        // A lost segment stalls the stream until it is sent again, as in the relays of live runs.
        _retransmission = Math.Max(MinimumRetransmission, ToNanoseconds(3 * _delay.Mean));
    }

    /// <summary>The node that sends in this direction.</summary>
    public int Source { get; }

    public int Target { get; }

    /// <summary>The connection's sending half, at the source.</summary>
    public PeerHop Hop { get; set; } = null!;

    /// <summary>Its receiving half, at the target.</summary>
    public PeerReceiver Receiver { get; } = new();

    /// <summary>The number of the connection; it changes when one begins or ends.</summary>
    public int Generation { get; set; }

    /// <summary>How many connections the source has opened.</summary>
    public int Opens { get; set; }

    /// <summary>Whether the source's connection has ended, and the source stands still and does not know.</summary>
    public bool IsLost { get; set; }

    /// <summary>The last connection whose CONNECT has come to the target.</summary>
    public int Reached { get; set; }

    /// <summary>
    /// The last connection whose end the target has not noticed, because it stands still. All earlier connections have
    /// ended too.
    /// </summary>
    public int LostByTarget { get; set; }

    /// <summary>The connection that the receiver has accepted last.</summary>
    public int Accepted { get; set; }

    /// <summary>The process of the target that has accepted it.</summary>
    public ulong AcceptedBy { get; set; }

    /// <summary>Whether the source's protocol takes the link for up.</summary>
    public bool IsUp { get; set; }

    /// <summary>How many cuts keep the link from taking connections.</summary>
    public int Cuts { get; set; }

    /// <summary>How many partitions hold the link.</summary>
    public int Stalls { get; set; }

    /// <summary>When the source notices that the target's process has ended.</summary>
    public long NoticeAt { get; set; }

    public FrameQueue Queue = new();

    public void Reset(ulong seed, ulong replication, ulong index)
    {
        ResetLaw(seed, replication, index);
        NoticeAt = long.MaxValue;
        (Generation, Opens, Accepted, IsUp, Cuts, Stalls) = (0, 0, -1, false, 0, 0);
        (IsLost, Reached, LostByTarget) = (false, -1, -1);
        Queue.Clear();
        Receiver.Reset();
        Hop.Stop();
    }

    /// <summary>Begins a run with the ordinary law and nothing under way.</summary>
    public void ResetLaw(ulong seed, ulong replication, ulong index)
    {
        _random = RandomStream.For(seed, replication, index);
        Use(_ordinary);
        (_freeAt, _lastArrival) = (0, 0);
    }

    /// <summary>Puts something on the link that is sent now.</summary>
    /// <returns>The frame, whose contents the caller fills in.</returns>
    public ref Frame Send(int bytes, long now)
    {
        var leaves = now;
        if (_nanosecondsPerByte > 0)
        {
            leaves = Math.Max(now, _freeAt) + (long)(bytes * _nanosecondsPerByte);
            _freeAt = leaves;
        }
        var arrives = leaves + DrawDelay();
        if (_loss > 0)
            for (var segment = (bytes + SegmentBytes - 1) / SegmentBytes; segment > 0; segment--)
                if (_random.NextDouble() < _loss)
                    arrives += _retransmission;
        // A stream keeps its order.
        arrives = Math.Max(arrives, _lastArrival);
        _lastArrival = arrives;
        ref var frame = ref Queue.Append();
        frame.ArrivesAt = arrives;
        return ref frame;
    }

    public long DrawDelay() => _constantDelay >= 0 ? _constantDelay : ToNanoseconds(_delay.Draw(ref _random));

    public static long ToNanoseconds(double milliseconds) => (long)Math.Round(milliseconds * 1e6);
}
