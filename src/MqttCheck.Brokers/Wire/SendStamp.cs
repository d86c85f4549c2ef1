namespace MqttCheck.Brokers.Wire;

/// <summary>When bytes were handed to the socket, or to a client library.</summary>
/// <param name="Nanoseconds">
/// The middle between the clock before and after the call that sent them; of a client library the clock before the
/// call.
/// </param>
/// <param name="BoundNanoseconds">
/// How far the stamp may be off: half the time of the call to both sides; of a client library the time until the call
/// returned, to the later side.
/// </param>
public readonly record struct SendStamp(long Nanoseconds, long BoundNanoseconds)
{
    /// <summary>
    /// Whether it is the time at which a client library was called. An application begins to wait at that time, however
    /// late the bytes leave. Default no.
    /// </summary>
    public bool IsCall { get; init; }

    /// <summary>The earliest time at which the bytes can have left.</summary>
    public long EarliestNanoseconds => IsCall ? Nanoseconds : Nanoseconds - BoundNanoseconds;

    /// <summary>
    /// Narrows the stamp by an answer. An answer that came before the call had returned shows that the bytes left
    /// earlier.
    /// </summary>
    /// <param name="answerNanoseconds">When the answer came.</param>
    public SendStamp NarrowedBy(long answerNanoseconds)
    {
        if (answerNanoseconds >= Nanoseconds + BoundNanoseconds)
            return this;
        if (IsCall)
            return this with { BoundNanoseconds = Math.Max(0, answerNanoseconds - Nanoseconds) };
        var earliest = Nanoseconds - BoundNanoseconds;
        var bound = Math.Max(0, answerNanoseconds - earliest) / 2;
        return new(earliest + bound, bound);
    }
}
