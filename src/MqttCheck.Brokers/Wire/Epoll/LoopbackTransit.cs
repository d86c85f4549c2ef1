using System.Net;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// The time of a segment on the loopback interface from the kernel's send stamp to its arrival stamp. Both stamps are
/// taken in the sending call. Between them the kernel puts the send stamp on the error queue, which takes microseconds.
/// Received packets and captures have arrival stamps. With the transit added, the stamps of requests are comparable.
/// </summary>
/// <param name="wire">Its wire.</param>
internal sealed class LoopbackTransit(EpollWire wire) : IWireHandler, ITimerHandler
{
    private const int Rounds = 100,
        MessageBytes = 100;

    // In a tight loop the kernel is several times as fast as between the messages of a fleet. With pauses of 4 ms it is
    // slower.
    private const long PauseNanoseconds = 1_000_000;

    private static readonly Lazy<long> s_median = new(Measure);

    private readonly List<long> _transits = new(Rounds);
    private WireConnection? _sender;
    private long _sent;
    private int _rounds;

    /// <summary>The median, measured once in a process; 0 where the kernel does not stamp.</summary>
    public static long MedianNanoseconds => s_median.Value;

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        _sender = connection;
        wire.Schedule(this, wire.NowNanoseconds + PauseNanoseconds, 0);
    }

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (_rounds++ == Rounds)
        {
            wire.Stop();
            return;
        }
        _sender!.Send(stackalloc byte[MessageBytes]);
        wire.Schedule(this, nowNanoseconds + PauseNanoseconds, 0);
    }

    // A stamp without a bound is the kernel's.
    public void OnSent(WireConnection connection, in SendStamp stamp) =>
        _sent = stamp.BoundNanoseconds == 0 ? stamp.Nanoseconds : 0;

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) => bytes.Length;

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        wire.Stop();

    private static long Measure()
    {
        try
        {
            using var wire = new EpollWire(new WireOptions { KernelSendStamps = true, IsPunctual = true });
            var transit = new LoopbackTransit(wire);
            var address = wire.Listen(
                new WireListener(new IPEndPoint(IPAddress.Loopback, 0)),
                () => new Receiver(transit)
            );
            wire.Connect(new WireEndpoint(address), transit);
            wire.Run();
            transit._transits.Sort();
            return transit._transits.Count > Rounds / 2 ? transit._transits[transit._transits.Count / 2] : 0;
        }
        catch (WireException)
        {
            // There is no free port or descriptor. The caller will meet and report the same problem.
            return 0;
        }
    }

    private sealed class Receiver(LoopbackTransit transit) : IWireHandler
    {
        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) { }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            if (stamp.FromKernel && transit._sent > 0 && stamp.Nanoseconds >= transit._sent)
                transit._transits.Add(stamp.Nanoseconds - transit._sent);
            transit._sent = 0;
            return bytes.Length;
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) { }
    }
}
