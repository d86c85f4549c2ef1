using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets;

/// <summary>A sink that drops the exchanges of a run.</summary>
internal sealed class NoLog : IExchangeSink
{
    /// <inheritdoc/>
    public void Append(in Exchange exchange) { }
}
