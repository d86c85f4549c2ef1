namespace MqttCheck.Shards.Parts;

/// <summary>The parts of one live run. Disposal ends the parts that are left.</summary>
internal interface IPartCrew : IAsyncDisposable
{
    /// <summary>How many parts there are.</summary>
    int Parts { get; }

    /// <summary>
    /// Measures the clocks of the workers: of several exchanges with each, the one with the shortest round trip.
    /// </summary>
    /// <exception cref="PartLostException">A worker does not answer.</exception>
    Task<IReadOnlyList<PartClock>> MeasureClocksAsync();

    /// <summary>Has all parts begin at the same time.</summary>
    /// <param name="clocks">The clocks of the workers, in the order of the parts.</param>
    /// <param name="lead">How long from now, so that every worker hears of it before.</param>
    /// <returns>When they begin, on the monotonic clock of this process, in nanoseconds.</returns>
    /// <exception cref="PartLostException">A worker does not answer.</exception>
    Task<long> BeginAsync(IReadOnlyList<PartClock> clocks, TimeSpan lead);

    /// <summary>The events in a part since the last call.</summary>
    /// <param name="part">The number of the part, from 0.</param>
    /// <exception cref="PartLostException">Its worker does not answer.</exception>
    Task<byte[]> TakeAsync(int part);

    /// <summary>Ends all parts that can still be reached.</summary>
    /// <param name="atOnce">Whether nothing is cleaned up.</param>
    Task StopAsync(bool atOnce);

    /// <summary>The worker of a part, for messages.</summary>
    /// <param name="part">The number of the part.</param>
    string NameOf(int part);
}
