using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>Appends the exchanges of a fleet to a log file.</summary>
/// <param name="log">The log; whoever made it disposes it.</param>
public sealed class LogSink(ExchangeLogWriter log) : IExchangeSink
{
    /// <inheritdoc/>
    public void Append(in Exchange exchange) => log.Append(in exchange);
}
