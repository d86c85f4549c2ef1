namespace MqttCheck.Brokers.Wire.Timers;

/// <summary>Handles due timers, on the thread of all calls of the wire.</summary>
public interface ITimerHandler
{
    /// <summary>A timer set by <see cref="IWire.Schedule"/> is due.</summary>
    /// <param name="dueNanoseconds">When it was due.</param>
    /// <param name="nowNanoseconds">The present time.</param>
    /// <param name="tag">The number given when it was set.</param>
    void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag);
}
