using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Embedded;

/// <summary>
/// A single timer for the earliest of several due times. A timer that is set too early fires once in vain, which is
/// cheaper than moving it with every packet.
/// </summary>
/// <param name="wire">The wire.</param>
/// <param name="handler">Who is told. It calls <see cref="Fired"/> first.</param>
internal sealed class EarliestTimer(IWire wire, ITimerHandler handler)
{
    private long _armedFor = long.MaxValue;
    private long _ticket;

    /// <summary>Arms it for a time with tag 0, unless it fires earlier.</summary>
    /// <param name="due">When, on the wire's clock.</param>
    public void Arm(long due)
    {
        if (due >= _armedFor)
            return;
        if (_ticket != 0)
            wire.Cancel(_ticket);
        _armedFor = due;
        _ticket = wire.Schedule(handler, due, 0);
    }

    /// <summary>It has fired.</summary>
    public void Fired() => (_armedFor, _ticket) = (long.MaxValue, 0);
}
