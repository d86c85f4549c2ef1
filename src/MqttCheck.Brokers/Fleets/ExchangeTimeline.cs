using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Logs;
using MqttCheck.Profiles.Behaviours;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Folds the events of a run in order of their stamps instead of their handling. It hands on each exchange with its
/// features once no earlier event is expected. An answer may wait in a socket while later requests are sent. A log that
/// is replayed by its times must yield the features that it holds.
/// </summary>
/// <param name="clients">How many clients there are.</param>
/// <param name="topics">The numbers of topics and filters.</param>
/// <param name="sink">Takes the exchanges in the order in which they ended.</param>
/// <param name="shares">The shared subscription of each client; null when no client has one.</param>
internal sealed class ExchangeTimeline(int clients, TopicSpace topics, IExchangeSink sink, IReadOnlyList<int>? shares)
    : IExchangeTimeline
{
    /// <summary>
    /// How long an event waits for earlier ones. An answer that was read later than this counts as having come at the
    /// end of the wait.
    /// </summary>
    public const long WindowNanoseconds = 100_000_000;

    private const long StartPhase = 1L << 62;
    private const long LostPhase = StartPhase - 1;

    private readonly FeatureFold _fold = new(
        clients,
        Math.Max(1, topics.Numbers),
        withheld: false,
        shares,
        topics.Filters
    );
    private readonly PriorityQueue<Event, (long Nanoseconds, long Order)> _events = new();
    private readonly Stack<int> _free = new();
    private Entry[] _entries = new Entry[256];
    private int _used;
    private long _folded = long.MinValue;

    /// <inheritdoc/>
    public long LatestNanoseconds { get; private set; } = long.MinValue;

    private enum EventKind : byte
    {
        Start,
        End,
        Lost,
    }

    /// <inheritdoc/>
    public int Start(int client, in ClientAction action, long issueIndex, long atNanoseconds)
    {
        if (!_free.TryPop(out var entry))
        {
            entry = _used++;
            if (entry == _entries.Length)
                Array.Resize(ref _entries, entry * 2);
        }
        _entries[entry] = new()
        {
            Client = client,
            Action = action,
            StartNanoseconds = atNanoseconds,
        };
        // At the same time, ends come before starts, and starts are in order of sending.
        Add(new(EventKind.Start, entry), atNanoseconds, StartPhase + issueIndex * 2);
        return entry;
    }

    /// <inheritdoc/>
    public void End(int entry, in Exchange exchange, long atNanoseconds)
    {
        ref var open = ref _entries[entry];
        open.Exchange = exchange;
        // An exchange of length zero ends after its own start.
        var order =
            atNanoseconds > open.StartNanoseconds ? exchange.IssueIndex * 2 : StartPhase + exchange.IssueIndex * 2 + 1;
        Add(new(EventKind.End, entry), Math.Max(atNanoseconds, open.StartNanoseconds), order);
    }

    /// <inheritdoc/>
    public void ConnectionLost(int client, long atNanoseconds) =>
        Add(new(EventKind.Lost, client), atNanoseconds, LostPhase);

    /// <inheritdoc/>
    public void FoldUntil(long nanoseconds)
    {
        while (_events.TryPeek(out var next, out var at) && at.Nanoseconds <= nanoseconds)
        {
            _events.Dequeue();
            _folded = Math.Max(_folded, at.Nanoseconds);
            Fold(next, _folded / 1e6);
        }
    }

    private void Add(Event what, long atNanoseconds, long order)
    {
        _events.Enqueue(what, (atNanoseconds, order));
        LatestNanoseconds = Math.Max(LatestNanoseconds, atNanoseconds);
    }

    private void Fold(Event what, double milliseconds)
    {
        if (what.Kind == EventKind.Lost)
        {
            _fold.ConnectionLost(what.Index);
            return;
        }
        ref var entry = ref _entries[what.Index];
        if (what.Kind == EventKind.Start)
        {
            var features = _fold.Start(entry.Client, entry.Action, milliseconds);
            (entry.Active, entry.TotalSubscriptions, entry.Subscribers) = (
                features.Active,
                features.TotalSubscriptions,
                features.Subscribers
            );
            return;
        }
        _fold.End(
            entry.Client,
            entry.Action,
            entry.Subscribers,
            entry.Exchange.Outcome == ExchangeOutcome.Success,
            milliseconds
        );
        _free.Push(what.Index);
        sink.Append(
            entry.Exchange with
            {
                ActiveMessages = entry.Active,
                TotalSubscriptions = entry.TotalSubscriptions,
            }
        );
    }

    private readonly record struct Event(EventKind Kind, int Index);

    private struct Entry
    {
        public int Client;
        public ClientAction Action;
        public long StartNanoseconds;
        public int Active,
            TotalSubscriptions,
            Subscribers;
        public Exchange Exchange;
    }
}
