namespace MqttCheck.Workers.Computing;

/// <summary>
/// The parts of live runs at a worker, as a coordinator calls them over a connection to this worker. The key of a part
/// is the name of its run and its number.
/// </summary>
[Alias("mqttcheck.part")]
internal interface IPartGrain : IGrainWithIntegerKey
{
    /// <summary>Prepares a part.</summary>
    /// <param name="key">The key of the part.</param>
    /// <param name="kind">The kind of run.</param>
    /// <param name="description">The description of the part.</param>
    /// <param name="parts">How many parts the run has.</param>
    /// <param name="software">The software of the coordinator.</param>
    /// <returns>Why it is refused; null if it is not.</returns>
    [Alias("prepare")]
    [ResponseTimeout("00:00:30")]
    Task<string?> PrepareAsync(string key, string kind, byte[] description, int parts, string software);

    /// <summary>The time of the worker's monotonic clock, in nanoseconds.</summary>
    [Alias("clock")]
    [ResponseTimeout("00:00:05")]
    Task<long> ClockAsync();

    /// <summary>Sets the time at which a part begins.</summary>
    /// <param name="key">The key of the part.</param>
    /// <param name="startNanoseconds">The time, on the clock of <see cref="ClockAsync"/>.</param>
    /// <param name="boundNanoseconds">By how much the beginnings of two parts may differ.</param>
    [Alias("begin")]
    [ResponseTimeout("00:00:05")]
    Task BeginAsync(string key, long startNanoseconds, long boundNanoseconds);

    /// <summary>The report of a part since the last call; null if there is no such part here.</summary>
    [Alias("take")]
    [ResponseTimeout("00:00:05")]
    Task<byte[]?> TakeAsync(string key);

    /// <summary>Ends a part.</summary>
    /// <param name="key">The key of the part.</param>
    /// <param name="atOnce">Whether nothing is cleaned up.</param>
    [Alias("stop")]
    [ResponseTimeout("00:00:05")]
    Task StopAsync(string key, bool atOnce);

    /// <summary>Forgets a part, which ends at once if it has not ended.</summary>
    [Alias("forget")]
    [ResponseTimeout("00:00:05")]
    Task ForgetAsync(string key);
}
