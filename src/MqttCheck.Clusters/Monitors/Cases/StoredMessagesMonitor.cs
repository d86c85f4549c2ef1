using MqttCheck.Clusters.Events;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Cases;

/// <summary>
/// I8 where a store keeps few messages of a session, or keeps them for a short time, and clients come and go: of more
/// messages than the limit the oldest are dropped, so the newest arrive. What has expired is not handed out to a client
/// that comes back, and what has not is.
/// </summary>
/// <remarks>
/// <para>
/// A message is owed if fewer others than the limit can have been stored behind it. One of the same publisher and topic
/// is stored in the order of publication, and any other one surely before it if it was published a second earlier. It
/// is owed, too, only if its client was there, or back, a second before the end of its life.
/// </para>
/// <para>
/// A message that comes more than its life and a second after its publication is wrong if its client was away for all
/// of that time. A second is what a message takes at most on its way to the store while no process ends: some requests
/// of milliseconds, with exponential times whose means are a few milliseconds. A single time of 1 s has a probability
/// below exp(-200), so it raises no false alarm. Where a process ends in a case with a limit or a lifetime, neither is
/// judged: messages may then take longer.
/// </para>
/// </remarks>
/// <param name="limit">The most messages of a session.</param>
/// <param name="lifetimeNanoseconds">How long a message is kept.</param>
/// <param name="absences">When which clients were away.</param>
internal sealed class StoredMessagesMonitor(
    int limit,
    long lifetimeNanoseconds,
    IReadOnlyList<(int Client, long From, long Until)> absences
) : LedgerMonitor(Second, book: null)
{
    private const long Second = 1_000_000_000;

    private readonly Dictionary<long, (int Client, string Topic, long At)> _published = [];
    private readonly List<DeliveryPair> _pairs = [];
    private bool _processEnded;

    /// <inheritdoc/>
    public override string Name => "durability";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent)
    {
        base.Add(clusterEvent);
        ref readonly var e = ref clusterEvent;
        switch (e.Kind)
        {
            case ClusterEventKind.Published:
                _published[e.Message] = (e.Client, e.Topic, e.Nanoseconds);
                break;
            case ClusterEventKind.FaultBegan:
                _processEnded = true;
                break;
            case ClusterEventKind.Delivered when !_processEnded && _published.TryGetValue(e.Message, out var message):
                if (IsTooOld(e.Client, message.At, e.Nanoseconds))
                    Report(
                        e.Nanoseconds,
                        Invariant($"message {e.Message} came to client {e.Client} ")
                            + Invariant($"{(e.Nanoseconds - message.At) / 1e9:0.###} s after its publication, and it ")
                            + Invariant($"lives for {lifetimeNanoseconds / 1e9:0.###} s"),
                        "expired message"
                    );
                break;
        }
    }

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        _pairs.AddRange(Ledger.Pairs());
        base.End(nanoseconds);
    }

    private protected override string? Problem(DeliveryPair pair) =>
        pair.IsLost && IsOwed(pair) && Ledger.NodesHitSince(pair.PublishedNanoseconds) <= 1
            ? $"message {pair.Message} was acknowledged and never reached the session of client {pair.Subscriber}"
            : null;

    private bool IsTooOld(int client, long published, long now) =>
        lifetimeNanoseconds < long.MaxValue
        && now - published > lifetimeNanoseconds + Second
        && absences.Any(absence =>
            absence.Client == client
            && absence.From <= published
            && absence.Until > published + lifetimeNanoseconds + Second
        );

    private bool IsOwed(DeliveryPair pair)
    {
        if (limit == int.MaxValue && lifetimeNanoseconds == long.MaxValue)
            return true;
        if (_processEnded)
            return false;
        var until = pair.PublishedNanoseconds + lifetimeNanoseconds - Second;
        var isAwayTooLong =
            lifetimeNanoseconds < long.MaxValue
            && absences.Any(absence =>
                absence.Client == pair.Subscriber
                && absence.From < until
                && absence.Until >= Math.Max(pair.PublishedNanoseconds, until)
            );
        return !isAwayTooLong && _pairs.Count(other => IsBehind(other, pair)) < limit;
    }

    // Whether another message of the session can have been stored later.
    private bool IsBehind(DeliveryPair other, DeliveryPair pair)
    {
        if (other.Subscriber != pair.Subscriber || other.Message == pair.Message || other.Qos == 0)
            return false;
        var (one, two) = (_published[other.Message], _published[pair.Message]);
        return one.Client == two.Client && one.Topic == two.Topic
            ? other.Message > pair.Message
            : one.At > two.At - Second;
    }
}
