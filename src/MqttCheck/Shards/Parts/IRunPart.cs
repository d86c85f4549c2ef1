namespace MqttCheck.Shards.Parts;

/// <summary>
/// The part of a live run that one worker makes. It is prepared when it is made, and begins at a time that is common to
/// all parts. Any thread may call it.
/// </summary>
internal interface IRunPart : IDisposable
{
    /// <summary>Says when it begins.</summary>
    /// <param name="startNanoseconds">The time, on the monotonic clock of this process.</param>
    /// <param name="boundNanoseconds">By how much the beginnings of two parts may differ.</param>
    void Begin(long startNanoseconds, long boundNanoseconds);

    /// <summary>Takes what another part tells.</summary>
    /// <param name="notes">The notes of that part, in the order in which it made them.</param>
    void Receive(byte[] notes);

    /// <summary>Hands over what has happened since the last call. It never waits.</summary>
    byte[] Take();

    /// <summary>Ends it.</summary>
    /// <param name="atOnce">Whether nothing is cleaned up.</param>
    void Stop(bool atOnce);
}
