using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>Reads from sockets together with the kernel's arrival stamp, without allocation.</summary>
internal sealed unsafe class StampedReceiver : IDisposable
{
    private const int ControlBytes = 256;
    private const int ControlHeaderBytes = 16;

    // One block of native memory holds header, vector and control data.
    private readonly LibC.MessageHeader* _header;
    private readonly LibC.IoVector* _vector;
    private readonly byte* _control;
    private readonly RealtimeOffset _offset = new();
    private readonly int _keeper;
    private bool _disposed;

    /// <summary>A receiver of one thread.</summary>
    public StampedReceiver()
    {
        var block = (byte*)
            NativeMemory.AllocZeroed((nuint)(sizeof(LibC.MessageHeader) + sizeof(LibC.IoVector) + ControlBytes));
        _header = (LibC.MessageHeader*)block;
        _vector = (LibC.IoVector*)(block + sizeof(LibC.MessageHeader));
        _control = block + sizeof(LibC.MessageHeader) + sizeof(LibC.IoVector);
        _header->Vectors = _vector;
        _header->VectorCount = 1;
        _header->Control = _control;
        // The kernel begins to stamp some milliseconds after the first socket asks for it, and stops when no socket
        // asks any more. This socket keeps stamping on, so that packets of short-lived connections are stamped.
        _keeper = SocketCalls.Create(AddressFamily.InterNetwork);
        if (_keeper >= 0)
            Enable(_keeper);
    }

    /// <summary>Asks the kernel to stamp received bytes of a socket. Sockets accepted from it inherit this.</summary>
    /// <param name="descriptor">The socket.</param>
    public static void Enable(int descriptor) =>
        LibC.SetSocketOption(descriptor, LibC.SocketLevel, LibC.Timestamping, LibC.TimestampingReceiveSoftware);

    /// <summary>Asks the kernel to stamp sent bytes of a socket as well.</summary>
    /// <param name="descriptor">The socket.</param>
    public static void EnableSending(int descriptor) =>
        LibC.SetSocketOption(
            descriptor,
            LibC.SocketLevel,
            LibC.Timestamping,
            LibC.TimestampingReceiveSoftware | LibC.TimestampingSendSoftware | LibC.TimestampingWithoutData
        );

    /// <summary>Takes send stamps off a socket's error queue.</summary>
    /// <param name="descriptor">The socket.</param>
    /// <param name="notBefore">A time before the sending.</param>
    /// <param name="nanoseconds">When the last segment left, on the monotonic clock.</param>
    /// <returns>Whether there was a stamp; the queue of a network card may fill later.</returns>
    public bool TryTakeSendStamp(int descriptor, long notBefore, out long nanoseconds)
    {
        nanoseconds = 0;
        while (true)
        {
            _vector->Length = 0;
            _header->ControlLength = ControlBytes;
            _header->Flags = 0;
            if (LibC.ReceiveMessage(descriptor, _header, LibC.DontWait | LibC.ErrorQueue) < 0)
                return nanoseconds != 0;
            if (
                TryFindStamp(out var realtime)
                && _offset.ToMonotonic(realtime) is var sent
                && sent >= notBefore
                && sent <= MonotonicClock.NowNanoseconds
            )
                nanoseconds = sent;
        }
    }

    /// <summary>Notices when the wall clock was set; to be called once per batch.</summary>
    public void CheckClock() => _offset.Check();

    /// <summary>Reads once.</summary>
    /// <param name="descriptor">The socket.</param>
    /// <param name="buffer">The buffer for the bytes.</param>
    /// <param name="notBefore">The stamp of an earlier read, or of the connection.</param>
    /// <param name="stamp">
    /// When the last byte arrived. A kernel stamp outside notBefore .. now comes from a wall clock that was just set,
    /// and is replaced by now.
    /// </param>
    /// <returns>
    /// How many bytes; 0 at the end of the stream; negative for an error, see <see cref="Errno.Last"/>.
    /// </returns>
    public int Receive(int descriptor, Span<byte> buffer, long notBefore, out ArrivalStamp stamp)
    {
        int count;
        fixed (byte* bytes = buffer)
        {
            _vector->Base = bytes;
            _vector->Length = (nuint)buffer.Length;
            _header->ControlLength = ControlBytes;
            _header->Flags = 0;
            count = (int)LibC.ReceiveMessage(descriptor, _header, LibC.DontWait);
        }
        var now = MonotonicClock.NowNanoseconds;
        stamp = new ArrivalStamp(now, FromKernel: false);
        if (count > 0 && TryFindStamp(out var realtime))
        {
            var arrival = _offset.ToMonotonic(realtime);
            if (arrival >= notBefore && arrival <= now)
                stamp = new ArrivalStamp(arrival, FromKernel: true);
        }
        return count;
    }

    /// <summary>Frees its memory.</summary>
    public void Dispose()
    {
        if (_disposed)
            return;
        _disposed = true;
        if (_keeper >= 0)
            LibC.Close(_keeper);
        NativeMemory.Free(_header);
    }

    // A control message has length (8 bytes, header included), level, type, and data, aligned to 8. SO_TIMESTAMPING
    // carries three timespecs, the first of which is the software stamp.
    private bool TryFindStamp(out long realtime)
    {
        var length = (int)_header->ControlLength;
        for (var at = 0; at + ControlHeaderBytes + sizeof(LibC.Timespec) <= length; )
        {
            var messageLength = (int)*(nuint*)(_control + at);
            var level = *(int*)(_control + at + 8);
            var type = *(int*)(_control + at + 12);
            if (level == LibC.SocketLevel && type == LibC.Timestamping)
            {
                realtime = ((LibC.Timespec*)(_control + at + ControlHeaderBytes))->TotalNanoseconds;
                return realtime != 0;
            }
            if (messageLength < ControlHeaderBytes)
                break;
            at += (messageLength + 7) & ~7;
        }
        realtime = 0;
        return false;
    }
}
