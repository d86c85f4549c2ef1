namespace MqttCheck.Brokers.Wire.Timers;

/// <summary>What the wire calls when a timer is due, on the thread of all its calls.</summary>
public interface ITimerHandler
{
    /// <summary>A timer set by <see cref="IWire.Schedule"/> is due.</summary>
    /// <param name="dueNanoseconds">When it was due.</param>
    /// <param name="nowNanoseconds">What the clock says.</param>
    /// <param name="tag">The number given when it was set.</param>
    void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag);
}
