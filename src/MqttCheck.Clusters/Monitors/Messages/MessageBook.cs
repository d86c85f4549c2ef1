using System.Globalization;
using System.Runtime.InteropServices;
using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors.Messages;

/// <summary>
/// The book of what became of each message of a run, and the words for it: the names of clients and messages, and the
/// history of one message for one client.
/// </summary>
/// <param name="nodeNames">The names of nodes.</param>
/// <param name="publishers">How many clients publish; those with higher numbers subscribe.</param>
/// <param name="startNanoseconds">The time from which the words count theirs.</param>
internal sealed class MessageBook(IReadOnlyList<string> nodeNames, int publishers, long startNanoseconds)
{
    // A message that goes round would make a history that nobody reads.
    private const int MostTold = 6;

    private readonly Dictionary<long, Entry> _entries = [];
    private readonly Dictionary<int, int> _published = [];

    /// <summary>Everything that was published, in the order of publication.</summary>
    public IEnumerable<Entry> Entries => _entries.Values;

    /// <summary>Takes the next event; it looks at messages alone.</summary>
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
        }
    }

    /// <summary>A message; null if nobody was seen to publish it.</summary>
    public Entry? Find(long message) => _entries.GetValueOrDefault(message);

    /// <summary>A client in words: <c>p3</c> is the publisher with number 3, <c>s0</c> the first subscriber.</summary>
    public string NameOf(int client) =>
        client < publishers
            ? string.Create(CultureInfo.InvariantCulture, $"p{client}")
            : string.Create(CultureInfo.InvariantCulture, $"s{client - publishers}");

    /// <summary>A node in words.</summary>
    public string NameOfNode(int node) => nodeNames[node];

    /// <summary>A message in words: its publisher, which of its messages it is, and its topic.</summary>
    public string NameOf(Entry entry) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{NameOf(entry.Published.Client)} #{entry.Number} on {entry.Published.Topic}"
        );

    /// <summary>The history of a message for one client: what happened to it, in order.</summary>
    /// <param name="entry">The message.</param>
    /// <param name="client">The client that received it, or should have.</param>
    public string HistoryOf(Entry entry, int client)
    {
        var published = entry.Published;
        List<(long At, string What)> steps =
        [
            (published.Nanoseconds, Invariant($"published at {nodeNames[published.Node]} with QoS {published.Qos}")),
        ];
        if (entry.Acknowledged is { } acknowledged)
            steps.Add((acknowledged.Nanoseconds, $"acknowledged by {nodeNames[acknowledged.Node]}"));
        var own = entry.Deliveries.Where(delivery => delivery.Client == client).ToList();
        foreach (var delivery in own.Take(MostTold))
            steps.Add((delivery.Nanoseconds, Told(delivery)));
        var words = steps.OrderBy(step => step.At).Select(step => $"{Time(step.At)} {step.What}").ToList();
        if (own.Count > MostTold)
            words.Add(Invariant($"and {own.Count - MostTold} deliveries more"));
        return string.Join("; ", words);
    }

    /// <summary>A delivery in words.</summary>
    public string Told(in ClusterEvent delivery) =>
        Invariant($"{NameOf(delivery.Client)} got it at {nodeNames[delivery.Node]} with QoS {delivery.Qos}")
        + (delivery.IsRetained ? " and RETAIN" : "");

    /// <summary>A time in words.</summary>
    public string Time(long nanoseconds) => Invariant($"{(nanoseconds - startNanoseconds) / 1e9:0.000} s");

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);

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
