using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets;

/// <summary>Where the exchanges of a run go that nobody reads here.</summary>
internal sealed class NoLog : IExchangeSink
{
    /// <inheritdoc/>
    public void Append(in Exchange exchange) { }
}
