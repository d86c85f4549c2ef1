namespace MqttCheck.Workers.Computing;

/// <summary>
/// A part of a live run. Its key is the name of the run and the number of the part. It lives in the worker over whose
/// connection it is called first.
/// </summary>
[Alias("mqttcheck.part")]
internal interface IPartGrain : IGrainWithStringKey
{
    /// <summary>Prepares the part.</summary>
    /// <param name="kind">The kind of run.</param>
    /// <param name="description">What the part is.</param>
    /// <param name="parts">How many parts the run has.</param>
    /// <param name="software">The software of the coordinator.</param>
    /// <returns>Why it is refused; null if it is not.</returns>
    [Alias("prepare")]
    Task<string?> PrepareAsync(string kind, byte[] description, int parts, string software);

    /// <summary>What the monotonic clock of the worker says, in nanoseconds.</summary>
    [Alias("clock")]
    Task<long> ClockAsync();

    /// <summary>Says when the part begins.</summary>
    /// <param name="startNanoseconds">The time, on the clock of <see cref="ClockAsync"/>.</param>
    /// <param name="boundNanoseconds">By how much the beginnings of two parts may differ.</param>
    [Alias("begin")]
    Task BeginAsync(long startNanoseconds, long boundNanoseconds);

    /// <summary>Tells what happened in another part.</summary>
    /// <param name="notes">Its notes.</param>
    [Alias("receive")]
    Task ReceiveAsync(byte[] notes);

    /// <summary>What has happened since the last call; null where there is no such part here.</summary>
    [Alias("take")]
    [ResponseTimeout("00:00:05")]
    Task<byte[]?> TakeAsync();

    /// <summary>Ends the part.</summary>
    /// <param name="atOnce">Whether nothing is cleaned up.</param>
    [Alias("stop")]
    [ResponseTimeout("00:00:05")]
    Task StopAsync(bool atOnce);

    /// <summary>Forgets the part, which ends at once if it has not ended.</summary>
    [Alias("forget")]
    [ResponseTimeout("00:00:05")]
    Task ForgetAsync();
}
