using System.Numerics;
using MqttCheck.Latency.Features;
using MqttCheck.Profiles.Behaviours;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Tracks which client still awaits which message. It is the second machine of the functional model, which counts
/// receptions until every subscriber has its copy. A client has at most one open publication, so everything is kept in
/// arrays by publisher. A ring of the latest publications tells repeated messages from new ones.
/// </summary>
/// <param name="clients">The number of clients.</param>
/// <param name="shares">
/// The shared subscription of each client, -1 for none; null when no client has one. A message is awaited from any one
/// member of a shared subscription.
/// </param>
/// <param name="topics">The numbers of topics and filters; null where there are no filters.</param>
internal sealed class DeliveryLedger(int clients, IReadOnlyList<int>? shares = null, TopicSpace? topics = null)
{
    // Stands for the number of a message whose text has none.
    private const uint Unnumbered = uint.MaxValue;

    private const int Remembered = 8192;

    private readonly int _words = Words(clients);
    private readonly OpenPublication[] _open = new OpenPublication[clients];
    private readonly ulong[] _awaited = new ulong[(long)clients * Words(clients)];
    private readonly int[] _awaitedFrom = new int[clients];
    private readonly ulong[] _numbers = [.. Enumerable.Repeat(ulong.MaxValue, Remembered)];
    private readonly ulong[] _received = new ulong[(long)Remembered * Words(clients)];
    private uint _published;

    /// <summary>How many publications were numbered.</summary>
    public long Published => _published;

    /// <summary>How many messages of this run arrived, repeated ones included.</summary>
    public long Deliveries { get; private set; }

    /// <summary>
    /// The number of a client's next message: the client in the upper half, a count over all clients in the lower.
    /// </summary>
    public ulong NextNumber(int publisher) => (ulong)publisher << 32 | _published++;

    /// <summary>The number of whatever message a client has open, for one that does not carry its own.</summary>
    /// <param name="publisher">The client.</param>
    public static ulong OpenOf(int publisher) => (ulong)publisher << 32 | Unnumbered;

    /// <summary>A message is sent: from now on it is awaited from everybody who is online and subscribed.</summary>
    /// <param name="publisher">Who sends.</param>
    /// <param name="topic">Index of the topic.</param>
    /// <param name="number">From <see cref="NextNumber"/>.</param>
    /// <param name="subscribers">How many are online and subscribed.</param>
    /// <param name="fold">Knows the subscribers.</param>
    public void Open(int publisher, int topic, ulong number, int subscribers, FeatureFold fold)
    {
        _open[publisher] = new()
        {
            Number = number,
            Topic = topic,
            Remaining = subscribers,
            IsOpen = true,
        };
        var slot = (int)(number % Remembered);
        _numbers[slot] = number;
        Array.Clear(_received, slot * _words, _words);
        // A shared subscription counts as one subscriber with several members, so all clients are checked.
        for (var client = 0; shares is null ? subscribers > 0 : client < clients; client++)
        {
            if (!fold.IsSubscriber(client, topic))
                continue;
            _awaited[Word(publisher, client)] |= 1UL << client;
            _awaitedFrom[client]++;
            subscribers--;
        }
    }

    /// <summary>Whether some open publication awaits its delivery to a client.</summary>
    public bool IsAwaitedAt(int client) => _awaitedFrom[client] > 0;

    /// <summary>How many deliveries of a client's open publication are missing.</summary>
    public int Remaining(int publisher) => _open[publisher].Remaining;

    /// <summary>A message of this run arrived.</summary>
    /// <param name="receiver">The client that received it.</param>
    /// <param name="topic">Index of the topic it came on.</param>
    /// <param name="number">The number in its payload.</param>
    /// <returns>Its kind, and the publisher unless it is a stray.</returns>
    public (DeliveryKind Kind, int Publisher) Deliver(int receiver, int topic, ulong number)
    {
        var publisher = number >> 32;
        if (publisher >= (ulong)clients || ((uint)number >= _published && (uint)number != Unnumbered))
            return (DeliveryKind.Stray, -1);
        ref var open = ref _open[publisher];
        if ((uint)number == Unnumbered)
        {
            if (!open.IsOpen || open.Topic != topic)
                return (DeliveryKind.Optional, (int)publisher);
            number = open.Number;
        }
        if (open.Number == number && open.Topic != topic)
            return (DeliveryKind.Stray, -1);
        Deliveries++;
        if (WasReceived(receiver, number))
            return (DeliveryKind.Repeated, (int)publisher);

        var bit = 1UL << receiver;
        ref var word = ref _awaited[Word((int)publisher, receiver)];
        if (!open.IsOpen || open.Number != number || (word & bit) == 0)
            return (DeliveryKind.Optional, (int)publisher);
        word &= ~bit;
        _awaitedFrom[receiver]--;
        if (ShareOf(receiver) >= 0)
            Settle((int)publisher, receiver, number);
        return (--open.Remaining == 0 ? DeliveryKind.LastAwaited : DeliveryKind.Awaited, (int)publisher);
    }

    /// <summary>A delivery is no longer awaited, because the receiver went away or unsubscribed.</summary>
    /// <param name="publisher">Whose publication.</param>
    /// <param name="receiver">Who went away.</param>
    /// <param name="topic">From which topic or filter, or -1 for all.</param>
    /// <returns>Whether it was awaited until now, and was the last one.</returns>
    public bool Release(int publisher, int receiver, int topic)
    {
        ref var open = ref _open[publisher];
        var bit = 1UL << receiver;
        ref var word = ref _awaited[Word(publisher, receiver)];
        if (!open.IsOpen || (word & bit) == 0 || (topic >= 0 && !Covers(topic, open.Topic)))
            return false;
        word &= ~bit;
        _awaitedFrom[receiver]--;
        // The message may have been on its way to this member.
        if (ShareOf(receiver) >= 0)
            Settle(publisher, receiver, null);
        return --open.Remaining == 0;
    }

    /// <summary>A client's publication is over.</summary>
    /// <returns>How many deliveries were still awaited.</returns>
    public int Close(int publisher)
    {
        ref var open = ref _open[publisher];
        var missing = open.Remaining;
        if (missing > 0)
        {
            for (var word = 0; word < _words; word++)
            {
                ref var bits = ref _awaited[(long)publisher * _words + word];
                for (; bits != 0; bits &= bits - 1)
                    _awaitedFrom[(word << 6) + BitOperations.TrailingZeroCount(bits)]--;
            }
        }
        (open.IsOpen, open.Remaining) = (false, 0);
        return missing;
    }

    // Notes a reception, and returns whether it had been noted before. A message that the ring has forgotten counts as
    // new.
    private bool WasReceived(int receiver, ulong number)
    {
        var slot = (int)(number % Remembered);
        if (_numbers[slot] != number)
            return false;
        ref var word = ref _received[(long)slot * _words + (receiver >> 6)];
        var bit = 1UL << receiver;
        var before = (word & bit) != 0;
        word |= bit;
        return before;
    }

    private bool Covers(int number, int topic) => topics?.Covers(number, topic) ?? number == topic;

    private int ShareOf(int client) => shares is null ? -1 : shares[client];

    // The other members of the share await the publication no longer. If one of them receives it too, the message has
    // come twice.
    private void Settle(int publisher, int receiver, ulong? received)
    {
        for (var client = 0; client < clients; client++)
        {
            if (client == receiver || ShareOf(client) != ShareOf(receiver))
                continue;
            var bit = 1UL << client;
            ref var word = ref _awaited[Word(publisher, client)];
            if ((word & bit) == 0)
                continue;
            word &= ~bit;
            _awaitedFrom[client]--;
            if (received is { } number)
                WasReceived(client, number);
        }
    }

    private static int Words(int bits) => (bits + 63) / 64;

    private long Word(int publisher, int receiver) => (long)publisher * _words + (receiver >> 6);

    private struct OpenPublication
    {
        public ulong Number;
        public int Topic;
        public int Remaining;
        public bool IsOpen;
    }
}
