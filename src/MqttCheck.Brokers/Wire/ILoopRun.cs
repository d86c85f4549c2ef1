namespace MqttCheck.Brokers.Wire;

/// <summary>
/// A run on its own event loop, until it is over or ended from outside. All calls come on the loop's thread.
/// </summary>
internal interface ILoopRun
{
    /// <summary>Begins.</summary>
    void Begin();

    /// <summary>Ends in order, soon.</summary>
    void Cancel();

    /// <summary>Ends at once.</summary>
    void Abort();
}
