using MqttCheck.Logs;

namespace MqttCheck.Captures.Tests;

/// <summary>A sink that keeps everything.</summary>
internal sealed class ExchangeList : IExchangeSink
{
    public List<Exchange> Exchanges { get; } = [];

    public void Append(in Exchange exchange) => Exchanges.Add(exchange);
}
