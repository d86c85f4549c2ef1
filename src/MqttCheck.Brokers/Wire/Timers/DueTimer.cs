namespace MqttCheck.Brokers.Wire.Timers;

/// <summary>A timer that fires.</summary>
/// <param name="Target">An <see cref="ITimerHandler"/>, or an <see cref="IDeadline"/> of the wire itself.</param>
/// <param name="DueNanoseconds">When it was due.</param>
/// <param name="Tag">The number given when it was set.</param>
internal readonly record struct DueTimer(object Target, long DueNanoseconds, int Tag)
{
    /// <summary>Tells the target.</summary>
    /// <param name="nowNanoseconds">The present time.</param>
    public void Fire(long nowNanoseconds)
    {
        if (Target is ITimerHandler handler)
            handler.OnTimer(DueNanoseconds, nowNanoseconds, Tag);
        else
            ((IDeadline)Target).OnDeadline();
    }
}
