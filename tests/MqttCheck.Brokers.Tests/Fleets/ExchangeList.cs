using MqttCheck.Logs;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>A sink that keeps everything.</summary>
public sealed class ExchangeList : IExchangeSink
{
    public List<Exchange> Exchanges { get; } = [];

    public void Append(in Exchange exchange) => Exchanges.Add(exchange);

    /// <summary>Every request is there exactly once, and a client has one open exchange at a time.</summary>
    /// <param name="inOrder">Whether a client's exchanges end in the order of their numbers.</param>
    public void AssertWhole(bool inOrder = false)
    {
        Assert.That(
            Exchanges.Select(exchange => exchange.IssueIndex).Order(),
            Is.EqualTo(Enumerable.Range(0, Exchanges.Count))
        );
        foreach (var own in Exchanges.GroupBy(exchange => exchange.Client))
        foreach (var (before, after) in own.Zip(own.Skip(1)))
        {
            Assert.That(
                after.SentMicroseconds,
                Is.GreaterThanOrEqualTo(before.EndMicroseconds - 1e-3),
                $"client {own.Key}: {before}, then {after}"
            );
            Assert.That(!inOrder || after.IssueIndex > before.IssueIndex, $"client {own.Key}: {before}, then {after}");
        }
        Assert.That(
            Exchanges,
            Has.All.Matches<Exchange>(exchange =>
                double.IsNaN(exchange.LatencyMilliseconds) == (exchange.Outcome != ExchangeOutcome.Success)
            )
        );
    }
}
