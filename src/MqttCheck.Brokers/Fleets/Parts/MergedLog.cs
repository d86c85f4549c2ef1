using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles.Behaviours;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>
/// Merges the logs of the parts in the order of time, with features of the whole fleet. The result looks as if all
/// clients had been in one process. An exchange waits until every part has handed over all exchanges that began before
/// it.
/// </summary>
/// <param name="setup">The run.</param>
/// <param name="parts">How many parts it has.</param>
/// <param name="sink">Takes the exchanges in the order in which they ended.</param>
internal sealed class MergedLog(FleetSetup setup, int parts, IExchangeSink sink)
{
    private readonly ExchangeTimeline _timeline = new(
        setup.Clients,
        TopicSpace.Of(setup.Population, setup.Clients),
        sink,
        setup.Population.Shares(setup.Clients)
    );
    private readonly IReadOnlyList<bool>? _cleanSessions = setup.Population.CleanSessions(setup.Clients);
    private readonly long[] _marks = [.. Enumerable.Repeat(long.MinValue, parts)];
    private readonly PriorityQueue<Exchange, (double Sent, int Client, long Issue)> _waiting = new();
    private long _issued;

    /// <summary>Adds the exchanges and lost connections of a report.</summary>
    public void Add(int part, PartReport report)
    {
        foreach (var exchange in report.Exchanges)
            _waiting.Enqueue(exchange, (exchange.SentMicroseconds, exchange.Client, exchange.IssueIndex));
        foreach (var (client, at) in report.Lost)
            _timeline.ConnectionLost(client, at);
        _marks[part] = report.MarkNanoseconds;
        Hand();
    }

    /// <summary>Nothing more comes from a part.</summary>
    public void End(int part)
    {
        _marks[part] = long.MaxValue;
        Hand();
    }

    private void Hand()
    {
        var until = _marks.Min();
        if (until == long.MinValue)
            return;
        while (_waiting.TryPeek(out var exchange, out _) && Nanoseconds(exchange.SentMicroseconds) < until)
        {
            _waiting.Dequeue();
            var issue = _issued++;
            var action = Action(exchange);
            var entry = _timeline.Start(exchange.Client, action, issue, Nanoseconds(exchange.SentMicroseconds));
            _timeline.End(entry, exchange with { IssueIndex = issue }, Nanoseconds(exchange.EndMicroseconds));
        }
        // An exchange that started at the mark itself may still come.
        _timeline.FoldUntil(until == long.MaxValue ? until : until - 1);
    }

    // Rebuilds the request of the exchange. The log does not record whether a connection was clean, but the profile
    // tells.
    private ClientAction Action(in Exchange exchange) =>
        new(
            exchange.Message,
            exchange.Topic,
            exchange.MessageSize,
            exchange.Phase,
            Clean: _cleanSessions?[exchange.Client] == true || exchange.Phase == ExchangePhase.Reset
        )
        {
            Qos = exchange.Qos,
        };

    private static long Nanoseconds(double microseconds) => (long)Math.Round(microseconds * 1000);
}
