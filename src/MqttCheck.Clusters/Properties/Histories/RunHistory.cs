using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Messages;

namespace MqttCheck.Clusters.Properties.Histories;

/// <summary>
/// The fates of the messages of a run. Its size has an end: counts hold every message, and of the messages
/// themselves the worst ones are kept. Times count from the first message that counts.
/// </summary>
internal sealed record RunHistory
{
    /// <summary>The most messages that are kept one by one.</summary>
    public const int MostKept = 10_000;

    /// <summary>The names of clients.</summary>
    public required ClientNames Names { get; init; }

    /// <summary>From the first message that counts to the last one, or to the end of a fault behind it.</summary>
    public required long LengthNanoseconds { get; init; }

    /// <summary>How long a message may take and is in time.</summary>
    public required long LateAfterNanoseconds { get; init; }

    /// <summary>The faults as they happened.</summary>
    public required IReadOnlyList<FaultSpan> Faults { get; init; }

    /// <summary>The messages by node, fate and time.</summary>
    public required FateBins Bins { get; init; }

    /// <summary>The messages in the order of publication: all of them, or the worst ones of very many.</summary>
    public required IReadOnlyList<SentMessage> Messages { get; init; }

    /// <summary>How many messages were published.</summary>
    public required long Published { get; init; }

    /// <summary>How many of them had QoS 1 or 2 and were acknowledged.</summary>
    public required long Acknowledged { get; init; }

    /// <summary>The lost ones.</summary>
    public required LostMessages Lost { get; init; }

    /// <summary>The faults that lasted when a lost message was published, or else those that were near.</summary>
    public required IReadOnlyList<FaultSpan> Explaining { get; init; }

    /// <summary>The history of a run.</summary>
    /// <param name="book">Its messages.</param>
    /// <param name="pairs">Publications with those who subscribed.</param>
    /// <param name="settleNanoseconds">How long a message may take and is in time.</param>
    /// <param name="nodes">How many nodes there are.</param>
    internal static RunHistory Of(MessageBook book, IEnumerable<DeliveryPair> pairs, long settleNanoseconds, int nodes)
    {
        var fates = Fates(book, pairs, settleNanoseconds);
        FaultSpan[] faults = [.. book.Faults.Select(fault => Shifted(fault, book))];
        var messages = new List<SentMessage>();
        var (lost, explaining) = (default(LostMessages), new HashSet<FaultSpan>());
        // An earlier message warms up, and no quantity counts it.
        foreach (var entry in book.Entries.Where(entry => book.Since(entry.Published.Nanoseconds) >= 0))
        {
            var published = entry.Published;
            var known = fates.TryGetValue(published.Message, out var seen) ? seen : new(MessageFate.Unknown);
            var message = new SentMessage(
                published.Client,
                entry.Number,
                published.Node,
                book.Since(published.Nanoseconds),
                entry.Acknowledged is { } acknowledged ? book.Since(acknowledged.Nanoseconds) : null,
                known.Fate,
                entry.Deliveries.Count > 0 ? book.Since(entry.Deliveries[0].Nanoseconds) : null
            );
            messages.Add(message);
            if (known.Fate == MessageFate.Lost)
            {
                lost += PlaceOf(message, known, faults);
                explaining.UnionWith(FaultsOf(message, settleNanoseconds, faults));
            }
        }
        var length = messages
            .Select(message => message.SentNanoseconds)
            .Concat(faults.Select(fault => fault.End ?? fault.Begin))
            .DefaultIfEmpty(0)
            .Max();
        var bins = new FateBins(nodes, length);
        foreach (var message in messages)
            bins.Add(message);
        return new RunHistory
        {
            Names = book.Names,
            LengthNanoseconds = length,
            LateAfterNanoseconds = settleNanoseconds,
            Faults = faults,
            Bins = bins,
            Messages = Worst(messages),
            Published = messages.Count,
            Acknowledged = messages.LongCount(message => message.AcknowledgedNanoseconds is not null),
            Lost = lost,
            Explaining = [.. faults.Where(explaining.Contains)],
        };
    }

    /// <summary>How many messages had a fate.</summary>
    public long CountOf(MessageFate fate) => Enumerable.Range(0, Bins.Nodes).Sum(node => CountOf(node, fate));

    /// <summary>How many messages of a node had a fate.</summary>
    public long CountOf(int node, MessageFate fate)
    {
        var sum = 0L;
        foreach (var count in Bins.Of(node, fate))
            sum += count;
        return sum;
    }

    private static Dictionary<long, Seen> Fates(MessageBook book, IEnumerable<DeliveryPair> pairs, long lateAfter)
    {
        var fates = new Dictionary<long, Seen>();
        foreach (var pair in pairs)
        {
            var fate = FateOf(pair, lateAfter);
            var earlier = fates.TryGetValue(pair.Message, out var known) ? known : new(MessageFate.InTime);
            var isAway = fate == MessageFate.Lost && pair.State == PairState.Settled;
            var wasThere = isAway && !book.IsAway(pair.Subscriber, pair.PublishedNanoseconds);
            fates[pair.Message] = new(fate < earlier.Fate ? fate : earlier.Fate)
            {
                IsAway = earlier.IsAway || isAway,
                WasReaderThere = earlier.WasReaderThere || wasThere,
            };
        }
        return fates;
    }

    private static MessageFate FateOf(in DeliveryPair pair, long lateAfter) =>
        pair.IsLost ? MessageFate.Lost
        : pair.Deliveries == 0 ? MessageFate.Unknown
        : pair.Deliveries > 1 ? MessageFate.Repeated
        : pair.TakenNanoseconds > lateAfter ? MessageFate.Late
        : MessageFate.InTime;

    private static LostMessages PlaceOf(in SentMessage message, Seen seen, FaultSpan[] faults)
    {
        var at = message.SentNanoseconds;
        return Array.Exists(faults, fault => fault.Covers(at)) ? new(1, 0, 0, 0, 0)
            : Array.Exists(faults, fault => fault.CoversUntilRestored(at)) ? new(0, 1, 0, 0, 0)
            : !seen.IsAway ? new(0, 0, 1, 0, 0)
            : seen.WasReaderThere ? new(0, 0, 0, 0, 1)
            : new(0, 0, 0, 1, 0);
    }

    private static List<FaultSpan> FaultsOf(SentMessage message, long settle, FaultSpan[] faults)
    {
        var at = message.SentNanoseconds;
        Func<FaultSpan, bool>[] ways =
        [
            fault => fault.Covers(at),
            fault => fault.CoversUntilRestored(at),
            fault => fault.Begin <= at + settle && (fault.Restored ?? fault.End ?? long.MaxValue) >= at - settle,
        ];
        return ways.Select(way => faults.Where(way).ToList()).FirstOrDefault(found => found.Count > 0) ?? [];
    }

    private static List<SentMessage> Worst(List<SentMessage> messages) =>
        messages.Count <= MostKept
            ? messages
            : [.. messages.OrderBy(message => message.Fate).Take(MostKept).OrderBy(message => message.SentNanoseconds)];

    private static FaultSpan Shifted(FaultSpan fault, MessageBook book) =>
        fault with
        {
            Begin = book.Since(fault.Begin),
            End = fault.End is { } end ? book.Since(end) : null,
            Restored = fault.Restored is { } restored ? book.Since(restored) : null,
        };

    private readonly record struct Seen(MessageFate Fate)
    {
        public bool IsAway { get; init; }

        public bool WasReaderThere { get; init; }
    }
}
