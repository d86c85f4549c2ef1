using MqttCheck.Logs;

namespace MqttCheck.Testing;

/// <summary>Keeps the exchanges of a run.</summary>
internal sealed class ExchangeList : IExchangeSink
{
    private readonly List<Exchange> _exchanges = new(4096);

    public IReadOnlyList<Exchange> Exchanges => _exchanges;

    public void Append(in Exchange exchange) => _exchanges.Add(exchange);
}
