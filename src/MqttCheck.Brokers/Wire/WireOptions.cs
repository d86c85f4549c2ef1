using MqttCheck.Brokers.Wire.Epoll;

namespace MqttCheck.Brokers.Wire;

/// <summary>Settings of a wire.</summary>
public sealed record WireOptions
{
    /// <summary>The engine that moves the bytes. Default <see cref="WireEngine.Auto"/>.</summary>
    public WireEngine Engine { get; init; } = WireEngine.Auto;

    /// <summary>
    /// The grid on which the loop wakes for timers, 0 .. 100 ms. 0 (the default) wakes for each timer: exact, best up
    /// to about 2000 timers per second. 0.5 .. 1 ms lets timers wait for each other: half the processor time under
    /// load. A timer never fires early.
    /// </summary>
    public TimeSpan TimerCoalescing { get; init; } = TimeSpan.Zero;

    /// <summary>
    /// Whether timers fire as soon as they are due, at the cost of processor time. The loop's thread becomes urgent
    /// (<see cref="ThreadUrgency"/>). It polls before a timer is due, with up to a quarter of a processor. This is
    /// meant for a generator that keeps to a schedule, not for a broker, and not with <see cref="TimerCoalescing"/>.
    /// Only the epoll loop supports it. Default no.
    /// </summary>
    public bool IsPunctual { get; init; }

    /// <summary>
    /// How many unsent bytes a connection may hold before it is closed with <see cref="CloseReason.SendBufferFull"/>, 1
    /// KiB .. 1 GiB. Default 16 MiB.
    /// </summary>
    public int MaximumPendingBytes { get; init; } = 16 << 20;

    /// <summary>How many bytes one read may return, 1 KiB .. 16 MiB. Default 64 KiB.</summary>
    public int ReceiveBufferBytes { get; init; } = 64 << 10;

    /// <summary>
    /// Whether the kernel stamps sent bytes too, so that <see cref="SendStamp"/> is the time on the wire. It is meant
    /// for audits, because it costs a system call for each send. Once in a process, .1 s is spent to measure the
    /// loopback time between send and arrival stamps. Only the epoll loop supports it. Default no.
    /// </summary>
    public bool KernelSendStamps { get; init; }

    /// <summary>Finds every setting out of range.</summary>
    /// <returns>One sentence for each, empty when all are in range.</returns>
    public IReadOnlyList<string> Validate()
    {
        var errors = new List<string>();
        if (!Enum.IsDefined(Engine))
            errors.Add($"Wire engine {Engine} is unknown; allowed: {string.Join(", ", Enum.GetNames<WireEngine>())}.");
        if (TimerCoalescing < TimeSpan.Zero || TimerCoalescing > TimeSpan.FromMilliseconds(100))
            errors.Add(
                $"Timer coalescing of {TimerCoalescing.TotalMilliseconds} ms is out of range; allowed: 0 .. 100 ms."
            );
        if (IsPunctual && TimerCoalescing > TimeSpan.Zero)
            errors.Add("Punctual timers: given beside timer coalescing; allowed: one of them.");
        if (MaximumPendingBytes is < 1 << 10 or > 1 << 30)
            errors.Add(
                $"A limit of {MaximumPendingBytes} pending bytes is out of range; allowed: {1 << 10} .. {1 << 30}."
            );
        if (ReceiveBufferBytes is < 1 << 10 or > 16 << 20)
            errors.Add(
                $"A receive buffer of {ReceiveBufferBytes} bytes is out of range; allowed: {1 << 10} .. {16 << 20}."
            );
        return errors;
    }
}
