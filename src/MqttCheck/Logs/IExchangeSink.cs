namespace MqttCheck.Logs;

/// <summary>Receives the exchanges of a run, one at a time, in the order in which they ended.</summary>
public interface IExchangeSink
{
    /// <summary>
    /// Takes one ended exchange. Called from the run's event loop: it must neither wait nor allocate per call. An
    /// exception ends the run.
    /// </summary>
    /// <param name="exchange">The exchange.</param>
    void Append(in Exchange exchange);
}
