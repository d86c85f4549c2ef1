using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>
/// The log of a part of a fleet: exchanges as they end, and lost connections. Features belong to the whole fleet, so
/// they are filled in when the parts are merged.
/// </summary>
internal sealed class PartLog : IExchangeTimeline
{
    private readonly Lock _gate = new();
    private List<Exchange> _exchanges = [];
    private List<LostConnection> _lost = [];
    private long _mark = long.MinValue;

    /// <inheritdoc/>
    public long LatestNanoseconds { get; private set; } = long.MinValue;

    /// <summary>The time 0 of the run.</summary>
    public long StartNanoseconds { get; set; }

    /// <inheritdoc/>
    public int Start(int client, in ClientAction action, long issueIndex, long atNanoseconds)
    {
        LatestNanoseconds = Math.Max(LatestNanoseconds, atNanoseconds);
        return 0;
    }

    /// <inheritdoc/>
    public void End(int entry, in Exchange exchange, long atNanoseconds)
    {
        LatestNanoseconds = Math.Max(LatestNanoseconds, atNanoseconds);
        // A logged exchange is always open itself; the number of active messages is counted after merging.
        lock (_gate)
            _exchanges.Add(exchange with { ActiveMessages = 1 });
    }

    /// <inheritdoc/>
    public void ConnectionLost(int client, long atNanoseconds)
    {
        lock (_gate)
            _lost.Add(new(client, atNanoseconds - StartNanoseconds));
    }

    /// <inheritdoc/>
    public void FoldUntil(long nanoseconds)
    {
        // Exchanges are folded after merging.
    }

    /// <summary>
    /// Records that all exchanges that began before a time are handed over by now or with the next call of
    /// <see cref="Take"/>.
    /// </summary>
    public void Mark(long untilNanoseconds)
    {
        lock (_gate)
            _mark = untilNanoseconds - StartNanoseconds;
    }

    /// <summary>The exchanges and lost connections since the last call.</summary>
    public (IReadOnlyList<Exchange> Exchanges, IReadOnlyList<LostConnection> Lost, long MarkNanoseconds) Take()
    {
        lock (_gate)
        {
            var taken = (_exchanges, _lost, _mark);
            (_exchanges, _lost) = ([], []);
            return taken;
        }
    }
}
