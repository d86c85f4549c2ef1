using System.Runtime.InteropServices;

namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// The calls to the C library of Linux that the loop makes. All layouts are those of 64-bit x64 and arm64.
/// </summary>
internal static unsafe partial class LibC
{
    public const int EpollIn = 0x1,
        EpollOut = 0x4,
        EpollErr = 0x8,
        EpollHup = 0x10;
    public const int EpollAdd = 1,
        EpollDelete = 2,
        EpollModify = 3;
    public const int CloseOnExec = 0x80000,
        NonBlocking = 0x800;
    public const int StreamSocket = 1,
        Tcp = 6,
        NoDelay = 1;
    public const int SocketLevel = 1,
        ReuseAddress = 2,
        SocketError = 4,
        Linger = 13,
        Timestamping = 37;
    public const int TimestampingReceiveSoftware = 8 | 16,
        TimestampingSendSoftware = 2,
        TimestampingWithoutData = 2048;
    public const int DontWait = 0x40,
        NoSignal = 0x4000,
        ErrorQueue = 0x2000;
    public const int ShutdownWrite = 1;
    public const int ClockRealtime = 0,
        ClockMonotonic = 1;
    public const int SetTimerSlack = 29,
        GetTimerSlack = 30;

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int EpollCreate(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int EpollControl(int epoll, int operation, int descriptor, byte* @event);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int EpollWait(int epoll, byte* events, int maximum, int milliseconds);

    [LibraryImport("libc", EntryPoint = "epoll_pwait2", SetLastError = true)]
    public static partial int EpollWait2(int epoll, byte* events, int maximum, Timespec* timeout, void* signalMask);

    [LibraryImport("libc", EntryPoint = "timerfd_create", SetLastError = true)]
    public static partial int TimerCreate(int clock, int flags);

    [LibraryImport("libc", EntryPoint = "timerfd_settime", SetLastError = true)]
    public static partial int TimerSet(int descriptor, int flags, Timespec* intervalAndValue, void* old);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    public static partial int EventDescriptor(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int descriptor, void* buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int descriptor, void* buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "socket", SetLastError = true)]
    public static partial int Socket(int family, int type, int protocol);

    [LibraryImport("libc", EntryPoint = "connect", SetLastError = true)]
    public static partial int Connect(int descriptor, byte* address, uint length);

    [LibraryImport("libc", EntryPoint = "bind", SetLastError = true)]
    public static partial int Bind(int descriptor, byte* address, uint length);

    [LibraryImport("libc", EntryPoint = "listen", SetLastError = true)]
    public static partial int Listen(int descriptor, int backlog);

    [LibraryImport("libc", EntryPoint = "accept4", SetLastError = true)]
    public static partial int Accept(int descriptor, byte* address, uint* length, int flags);

    [LibraryImport("libc", EntryPoint = "getsockname", SetLastError = true)]
    public static partial int GetSocketName(int descriptor, byte* address, uint* length);

    [LibraryImport("libc", EntryPoint = "setsockopt", SetLastError = true)]
    public static partial int SetSocketOption(int descriptor, int level, int name, void* value, uint length);

    [LibraryImport("libc", EntryPoint = "getsockopt", SetLastError = true)]
    public static partial int GetSocketOption(int descriptor, int level, int name, void* value, uint* length);

    [LibraryImport("libc", EntryPoint = "shutdown", SetLastError = true)]
    public static partial int Shutdown(int descriptor, int how);

    [LibraryImport("libc", EntryPoint = "send", SetLastError = true)]
    public static partial nint Send(int descriptor, byte* bytes, nuint count, int flags);

    [LibraryImport("libc", EntryPoint = "recvmsg", SetLastError = true)]
    public static partial nint ReceiveMessage(int descriptor, MessageHeader* header, int flags);

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    public static partial int ClockGetTime(int clock, Timespec* time);

    [LibraryImport("libc", EntryPoint = "prctl")]
    public static partial int ProcessControl(int option, nuint value, nuint unused3, nuint unused4, nuint unused5);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint SystemCall(nint number, nint thread, void* attributes, nint flagsOrSize, nint flags);

    /// <summary>sched_getattr of the calling thread, which the C library does not wrap.</summary>
    public static nint GetScheduling(SchedulingAttributes* attributes) =>
        SystemCall(IsX64 ? 315 : 275, 0, attributes, sizeof(SchedulingAttributes), 0);

    /// <summary>sched_setattr of the calling thread.</summary>
    public static nint SetScheduling(SchedulingAttributes* attributes) =>
        SystemCall(IsX64 ? 314 : 274, 0, attributes, 0, 0);

    /// <summary>Sets a socket option that is an int.</summary>
    public static int SetSocketOption(int descriptor, int level, int name, int value) =>
        SetSocketOption(descriptor, level, name, &value, sizeof(int));

    private static bool IsX64 => RuntimeInformation.ProcessArchitecture == Architecture.X64;

    /// <summary>struct sched_attr of 48 bytes.</summary>
    public struct SchedulingAttributes
    {
        public uint Size;
        public uint Policy;
        public ulong Flags;
        public int Nice;
        public uint Priority;
        public ulong RuntimeNanoseconds,
            DeadlineNanoseconds,
            PeriodNanoseconds;
    }

    /// <summary>struct timespec.</summary>
    public struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;

        public readonly long TotalNanoseconds => Seconds * 1_000_000_000 + Nanoseconds;

        public static Timespec FromNanoseconds(long nanoseconds) =>
            new() { Seconds = nanoseconds / 1_000_000_000, Nanoseconds = nanoseconds % 1_000_000_000 };
    }

    /// <summary>struct iovec.</summary>
    public struct IoVector
    {
        public byte* Base;
        public nuint Length;
    }

    /// <summary>struct msghdr.</summary>
    public struct MessageHeader
    {
        public void* Name;
        public uint NameLength;
        public IoVector* Vectors;
        public nuint VectorCount;
        public byte* Control;
        public nuint ControlLength;
        public int Flags;
    }
}
