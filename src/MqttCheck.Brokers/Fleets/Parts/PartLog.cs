using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>
/// The share of a part of a fleet in the log: exchanges as they end, and lost connections. Their features are those of
/// the whole fleet, so they are filled in where the parts are put together.
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
        // A log has no exchange that is not open itself; how many are is counted later.
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
        // Folded where the parts are put together.
    }

    /// <summary>Everything that began before a time has been handed over, or is among what is taken next.</summary>
    public void Mark(long untilNanoseconds)
    {
        lock (_gate)
            _mark = untilNanoseconds - StartNanoseconds;
    }

    /// <summary>What has come since the last call.</summary>
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
