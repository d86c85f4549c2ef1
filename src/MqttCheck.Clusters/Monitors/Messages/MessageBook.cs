using System.Globalization;
using System.Runtime.InteropServices;
using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors.Messages;

/// <summary>
/// The book of what became of each message of a run, of faults, and of the ways of subscribers. It has the words for
/// them: the names of clients and messages, and the history of one message for one client.
/// </summary>
/// <param name="nodeNames">The names of nodes.</param>
/// <param name="names">The names of clients.</param>
/// <param name="startNanoseconds">See <see cref="StartNanoseconds"/>.</param>
internal sealed class MessageBook(IReadOnlyList<string> nodeNames, ClientNames names, long startNanoseconds)
{
    // A message that goes round would make a history that nobody reads.
    private const int MostTold = 6;

    // A fault or a subscriber may explain a fate by something so long before or after the message.
    private const long NearNanoseconds = 2_000_000_000;

    private readonly Dictionary<long, Entry> _entries = [];
    private readonly Dictionary<int, int> _published = [];
    private readonly List<FaultSpan> _faults = [];
    private readonly Dictionary<int, List<Stay>> _stays = [];

    /// <summary>Everything that was published, in the order of publication.</summary>
    public IEnumerable<Entry> Entries => _entries.Values;

    /// <summary>The faults, in the order of their beginnings.</summary>
    public IReadOnlyList<FaultSpan> Faults => _faults;

    /// <summary>The names of clients.</summary>
    public ClientNames Names => names;

    /// <summary>The time from which the words count theirs: when messages begin to count.</summary>
    public long StartNanoseconds { get; set; } = startNanoseconds;

    /// <summary>Takes the next event; it looks at messages, faults and connections of subscribers.</summary>
    /// <param name="clusterEvent">An event that is not earlier than the one before.</param>
    public void Add(in ClusterEvent clusterEvent)
    {
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.Published:
                var number = ++CollectionsMarshal.GetValueRefOrAddDefault(_published, clusterEvent.Client, out _);
                _entries[clusterEvent.Message] = new Entry(clusterEvent, number);
                break;
            case ClusterEventKind.Acknowledged when Find(clusterEvent.Message) is { } acknowledged:
                acknowledged.Acknowledged ??= clusterEvent;
                break;
            case ClusterEventKind.Delivered when Find(clusterEvent.Message) is { } delivered:
                delivered.Deliveries.Add(clusterEvent);
                break;
            case ClusterEventKind.FaultBegan:
                var (kind, text) = (clusterEvent.Fault, clusterEvent.Topic);
                _faults.Add(new(kind, text, clusterEvent.Node, clusterEvent.Peer, clusterEvent.Nanoseconds));
                break;
            case ClusterEventKind.FaultEnded or ClusterEventKind.BridgesRestored:
                End(clusterEvent);
                break;
            case ClusterEventKind.Connected:
                _stays.GetOrNew(clusterEvent.Client).Add(new(clusterEvent.Node, clusterEvent.Nanoseconds));
                break;
            case ClusterEventKind.Disconnected when _stays.TryGetValue(clusterEvent.Client, out var stays):
                stays[^1].Until = Math.Min(stays[^1].Until, clusterEvent.Nanoseconds);
                break;
        }
    }

    /// <summary>A message; null if nobody was seen to publish it.</summary>
    public Entry? Find(long message) => _entries.GetValueOrDefault(message);

    /// <summary>A client in words: <c>hall-3</c> is a publisher, <c>reader desks-1</c> a subscriber.</summary>
    public string NameOf(int client) => names.Of(client);

    /// <summary>A node in words.</summary>
    public string NameOfNode(int node) => nodeNames[node];

    /// <summary>A message in words: its publisher, which of its messages it is, and its topic.</summary>
    public string NameOf(Entry entry) =>
        $"{names.OfMessage(entry.Published.Client, entry.Number)} on {entry.Published.Topic}";

    /// <summary>A message in words, by its number in events.</summary>
    public string NameOf(long message) =>
        Find(message) is { } entry
            ? names.OfMessage(entry.Published.Client, entry.Number)
            : string.Create(CultureInfo.InvariantCulture, $"message {message}");

    /// <summary>The history of a message for one client: what happened to it, and what was near, in order.</summary>
    /// <param name="entry">The message.</param>
    /// <param name="client">The client that received it, or should have.</param>
    public IReadOnlyList<HistoryStep> HistoryOf(Entry entry, int client)
    {
        var published = entry.Published;
        List<HistoryStep> steps =
        [
            Step(
                published.Nanoseconds,
                Invariant(
                    $"{NameOf(published.Client)} published it at {nodeNames[published.Node]} with QoS {published.Qos}"
                )
            ),
        ];
        if (entry.Acknowledged is { } acknowledged)
            steps.Add(Step(acknowledged.Nanoseconds, $"{nodeNames[acknowledged.Node]} acknowledged it"));
        var own = entry.Deliveries.Where(delivery => delivery.Client == client).ToList();
        steps.AddRange(own.Take(MostTold).Select(delivery => Step(delivery.Nanoseconds, Told(delivery))));
        if (own.Count > MostTold)
            steps.Add(Step(own[MostTold].Nanoseconds, Invariant($"and {own.Count - MostTold} deliveries more")));
        var until = own.Count == 0 ? published.Nanoseconds : own[0].Nanoseconds;
        return
        [
            .. steps
                .Concat(FaultsNear(published.Nanoseconds, until))
                .Concat(WayOf(client, published.Nanoseconds, until))
                .OrderBy(step => step.Nanoseconds),
        ];
    }

    /// <summary>Whether a client whose connections were seen had none at a time.</summary>
    public bool IsAway(int client, long nanoseconds) =>
        _stays.TryGetValue(client, out var stays)
        && !stays.Exists(stay => stay.Since <= nanoseconds && nanoseconds < stay.Until);

    /// <summary>A time from which words count.</summary>
    public long Since(long nanoseconds) => nanoseconds - StartNanoseconds;

    /// <summary>A time in words.</summary>
    public string Time(long nanoseconds) => Invariant($"{Since(nanoseconds) / 1e9:0.000} s");

    private string Told(in ClusterEvent delivery) =>
        Invariant($"{NameOf(delivery.Client)} got it at {nodeNames[delivery.Node]} with QoS {delivery.Qos}")
        + (delivery.IsRetained ? " and RETAIN" : "");

    private HistoryStep Step(long nanoseconds, string what) => new(Since(nanoseconds), what);

    private void End(ClusterEvent ended)
    {
        var latest = _faults.FindLastIndex(fault => fault.Node == ended.Node && fault.Peer == ended.Peer);
        if (latest < 0)
            return;
        _faults[latest] =
            ended.Kind == ClusterEventKind.FaultEnded
                ? _faults[latest] with
                {
                    End = ended.Nanoseconds,
                }
                : _faults[latest] with
                {
                    Restored = ended.Nanoseconds,
                };
    }

    // The faults that lasted near a message, by their beginnings and ends.
    private IEnumerable<HistoryStep> FaultsNear(long from, long to)
    {
        foreach (var fault in _faults)
        {
            if (fault.Begin > to + NearNanoseconds || (fault.Restored ?? fault.End) < from - NearNanoseconds)
                continue;
            var (place, words) = (fault.PlaceInWords(NameOfNode), FaultWords.Of(fault));
            yield return Step(fault.Begin, $"{place} {words.Began}");
            if (fault.End is { } end)
                yield return Step(end, $"{place} {words.Ended}");
            if (fault.Restored is { } restored && restored > fault.End)
                yield return Step(restored, $"bridges of {place} worked again");
        }
    }

    // The stay of a client when a message was published, the one before if there was none, and the next ones near it.
    private IEnumerable<HistoryStep> WayOf(int client, long from, long to)
    {
        if (!_stays.TryGetValue(client, out var stays))
            yield break;
        var first = Math.Max(0, stays.FindLastIndex(stay => stay.Since <= from));
        var next = stays.FindIndex(first, stay => stay.Since > from);
        for (var place = first; place < stays.Count; place++)
        {
            var stay = stays[place];
            if (place > next && stay.Since > to + NearNanoseconds)
                yield break;
            yield return Step(stay.Since, $"{NameOf(client)} connected to {nodeNames[stay.Node]}");
            if (stay.Until != long.MaxValue)
                yield return Step(stay.Until, $"{NameOf(client)} lost its connection to {nodeNames[stay.Node]}");
        }
    }

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);

    private sealed record Stay(int Node, long Since)
    {
        public long Until { get; set; } = long.MaxValue;
    }

    /// <summary>A message.</summary>
    /// <param name="published">Its publication.</param>
    /// <param name="number">Which message of its publisher it is, from 1.</param>
    internal sealed class Entry(in ClusterEvent published, int number)
    {
        public ClusterEvent Published { get; } = published;

        public int Number { get; } = number;

        public ClusterEvent? Acknowledged { get; set; }

        public List<ClusterEvent> Deliveries { get; } = [];
    }
}
