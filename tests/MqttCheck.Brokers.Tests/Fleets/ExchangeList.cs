using MqttCheck.Logs;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>A sink that keeps everything.</summary>
public sealed class ExchangeList : IExchangeSink
{
    public List<Exchange> Exchanges { get; } = [];

    public void Append(in Exchange exchange) => Exchanges.Add(exchange);
}
