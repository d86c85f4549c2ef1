using System.Runtime.InteropServices;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Exchanges;

/// <summary>
/// Finds the publication that each delivery belongs to: the earliest open one of the same topic and payload that the
/// client has not received yet. A delivery may be read before its publication, where packets were held back.
/// </summary>
/// <param name="rows">Takes the publications that ended.</param>
/// <param name="subscriptions">The subscriptions.</param>
/// <param name="counts">Counts what is not usable.</param>
internal sealed class PublicationBook(ExchangeRows rows, Subscriptions subscriptions, CaptureCounts counts)
{
    /// <summary>How long answers are awaited.</summary>
    public const long PatienceNanoseconds = 10_000_000_000;

    // As long as subscriptions may be unseen, a publication waits for deliveries that nobody foresees.
    private const long LingerNanoseconds = 2_000_000_000;

    // Times of one machine's packets may be out of order by that much.
    private const long ClockNanoseconds = 1_000_000;
    private const int MostUnclaimed = 1 << 16;
    private const int FewLogged = 4096;

    private readonly Dictionary<
        (SeenTopic Topic, long Print),
        (PendingPublication First, PendingPublication Last)
    > _open = [];
    private readonly Queue<PendingPublication> _byTime = [];
    private readonly Dictionary<(SeenTopic Topic, long Print), List<UnclaimedDelivery>> _unclaimed = [];
    private readonly Queue<UnclaimedDelivery> _unclaimedByTime = [];

    // Only where some payload is not whole, all that waits must be looked at.
    private int _openInPart,
        _unclaimedInPart;

    /// <summary>How many publications are open.</summary>
    public int Count { get; private set; }

    /// <summary>How many clients online may have subscriptions that were not seen.</summary>
    public int Unforeseeable { get; set; }

    /// <summary>A publication was sent.</summary>
    public void Start(PendingPublication publication)
    {
        Count++;
        _openInPart += publication.Print < 0 ? 1 : 0;
        _byTime.Enqueue(publication);
        if (_byTime.Count > 2 * Count + FewLogged)
            ForgetLogged();
        ref var alike = ref CollectionsMarshal.GetValueRefOrAddDefault(
            _open,
            (publication.Topic, publication.Print),
            out var exists
        );
        if (exists)
            alike.Last.NextAlike = publication;
        else
            alike.First = publication;
        alike.Last = publication;
        if (exists)
            LoseDoubted(publication);
        foreach (var (client, noLocal) in subscriptions.Of(publication.Topic))
        {
            if (noLocal && client == publication.Client)
                continue;
            publication.Subscribers++;
            if (client.IsUnreadable)
            {
                publication.IsUnknown = true;
                continue;
            }
            publication.Missing.Add(client);
            client.Awaited.Add(publication);
        }
        if (_unclaimed.Count > 0)
            Claim(publication);
        FinishIfDone(publication);
    }

    /// <summary>A message was delivered.</summary>
    /// <param name="client">To whom.</param>
    /// <param name="topic">From which topic.</param>
    /// <param name="print">The payload, as in <see cref="PendingPublication.Print"/>.</param>
    /// <param name="length">How long the payload was.</param>
    /// <param name="nanoseconds">When.</param>
    public void Deliver(Participant client, SeenTopic topic, long print, int length, long nanoseconds)
    {
        if (Find(client, topic, print, length, nanoseconds) is { } publication)
        {
            Take(publication, client, nanoseconds);
            return;
        }
        if (Subscriptions.Shares(client, topic))
        {
            counts.SharedDeliveries++;
            return;
        }
        var unclaimed = new UnclaimedDelivery(client, topic, print, length, nanoseconds);
        _unclaimedByTime.Enqueue(unclaimed);
        _unclaimedInPart += print < 0 ? 1 : 0;
        if (_unclaimed.TryGetValue((topic, print), out var others))
            others.Add(unclaimed);
        else
            _unclaimed.Add((topic, print), [unclaimed]);
        if (_unclaimedByTime.Count > MostUnclaimed)
            Forget();
    }

    /// <summary>The broker acknowledged a publication.</summary>
    public void Acknowledge(PendingPublication publication, long nanoseconds, bool isRefused)
    {
        publication.Acknowledged = NotBefore(publication, nanoseconds);
        publication.IsRefused = isRefused;
        FinishIfDone(publication);
    }

    /// <summary>A client goes away, or gives up subscriptions.</summary>
    /// <param name="client">The client.</param>
    /// <param name="nanoseconds">When.</param>
    /// <param name="isConcerned">The topics; null for all.</param>
    public void Release(Participant client, long nanoseconds, Predicate<SeenTopic>? isConcerned = null)
    {
        foreach (var publication in client.Awaited.ToList())
        {
            if (isConcerned is not null && !isConcerned(publication.Topic))
                continue;
            client.Awaited.Remove(publication);
            publication.Missing.Remove(client);
            publication.Released = NotBefore(publication, nanoseconds);
            FinishIfDone(publication);
        }
    }

    /// <summary>
    /// Deliveries to a client are missing in the capture. A publication that is alike another might be taken for it
    /// from now on, so its end is not known.
    /// </summary>
    /// <param name="client">The client.</param>
    /// <param name="nanoseconds">When the missing ones had passed.</param>
    public void DoubtDeliveries(Participant client, long nanoseconds)
    {
        foreach (var publication in client.Awaited.ToList())
        {
            if (publication.Sent > nanoseconds)
                continue;
            publication.IsDoubted = true;
            var alike = _open[(publication.Topic, publication.Print)];
            if (alike.First != alike.Last)
                Lose(publication);
        }
    }

    /// <summary>The end of a publication cannot be known.</summary>
    public void Lose(PendingPublication publication)
    {
        publication.IsUnknown = true;
        FinishIfDone(publication);
    }

    /// <summary>The publisher's connection ended, and the acknowledgement with it.</summary>
    public void Break(PendingPublication publication, long nanoseconds) =>
        Finish(publication, ExchangeOutcome.ConnectionLost, NotBefore(publication, nanoseconds));

    /// <summary>Ends what has waited for long enough.</summary>
    /// <param name="now">The time in the capture.</param>
    public void Expire(long now)
    {
        while (_byTime.TryPeek(out var first))
        {
            if (first.IsLogged)
            {
                _byTime.Dequeue();
                continue;
            }
            var patience = first.IsDone ? LingerNanoseconds : PatienceNanoseconds;
            if (now - first.Sent < patience)
                break;
            _byTime.Dequeue();
            if (first.IsDone)
                Finish(first);
            else if (first.IsDoubted || first.Missing.Exists(client => client.IsDoubtful))
                Finish(first, ExchangeOutcome.Cancelled, first.End);
            else
                Finish(first, ExchangeOutcome.Timeout, first.Sent + PatienceNanoseconds);
        }
        while (_unclaimedByTime.TryPeek(out var oldest) && now - oldest.Nanoseconds > PatienceNanoseconds)
            Forget();
    }

    /// <summary>The capture ends.</summary>
    public void End()
    {
        while (_byTime.TryDequeue(out var publication))
        {
            if (publication.IsLogged)
                continue;
            if (publication.IsDone)
                Finish(publication);
            else
                Finish(publication, ExchangeOutcome.Cancelled, publication.End);
        }
        while (_unclaimedByTime.Count > 0)
            Forget();
    }

    // A delivery of the new one could be taken for one of those.
    private void LoseDoubted(PendingPublication publication)
    {
        for (var one = _open[(publication.Topic, publication.Print)].First; one != publication; )
        {
            var next = one.NextAlike!;
            if (one.IsDoubted)
                Lose(one);
            one = next;
        }
    }

    private PendingPublication? Find(Participant client, SeenTopic topic, long print, int length, long nanoseconds)
    {
        if (_open.TryGetValue((topic, print), out var alike))
        {
            for (var one = alike.First; one is not null; one = one.NextAlike)
            {
                if (one.Sent <= nanoseconds + ClockNanoseconds && IsOpenTo(one, client))
                    return one;
            }
        }
        if (print >= 0 && _openInPart == 0)
            return null;
        // The lengths must do where one of the two payloads is not whole.
        PendingPublication? found = null;
        foreach (var one in client.Awaited)
        {
            if (
                one.Topic == topic
                && one.Length == length
                && (print < 0 || one.Print < 0)
                && one.Sent <= nanoseconds + ClockNanoseconds
                && (found is null || one.Sent < found.Sent)
            )
                found = one;
        }
        return found;
    }

    private static bool IsOpenTo(PendingPublication publication, Participant client) =>
        client.Awaited.Contains(publication)
        || (
            client.HasUnseenSubscriptions
            && !publication.Missing.Contains(client)
            && !publication.Unforeseen.Contains(client)
            && !client.Inferred.Contains(publication.Topic)
        );

    private void Take(PendingPublication publication, Participant client, long nanoseconds)
    {
        publication.Receivers++;
        publication.LastDelivery = Math.Max(
            publication.LastDelivery ?? long.MinValue,
            NotBefore(publication, nanoseconds)
        );
        if (client.Awaited.Remove(publication))
        {
            publication.Missing.Remove(client);
        }
        else
        {
            publication.Subscribers++;
            publication.Unforeseen.Add(client);
            subscriptions.Infer(client, publication.Topic);
        }
        FinishIfDone(publication);
    }

    private void Claim(PendingPublication publication)
    {
        if (_unclaimed.TryGetValue((publication.Topic, publication.Print), out var deliveries))
            foreach (var delivery in deliveries.ToList())
                Claim(publication, delivery);
        // The lengths must do where one of the two payloads is not whole.
        if (publication.Print >= 0 && (publication.Missing.Count == 0 || _unclaimedInPart == 0))
            return;
        foreach (var delivery in _unclaimedByTime)
        {
            if (
                delivery.Topic == publication.Topic
                && delivery.Length == publication.Length
                && delivery.Print != publication.Print
                && (delivery.Print < 0 || publication.Print < 0)
            )
                Claim(publication, delivery);
        }
    }

    private void Claim(PendingPublication publication, UnclaimedDelivery delivery)
    {
        if (
            delivery.IsClaimed
            || delivery.Nanoseconds + ClockNanoseconds < publication.Sent
            || publication.IsLogged
            || !IsOpenTo(publication, delivery.Client)
        )
            return;
        delivery.IsClaimed = true;
        Drop(delivery);
        Take(publication, delivery.Client, delivery.Nanoseconds);
    }

    private void Drop(UnclaimedDelivery delivery)
    {
        var key = (delivery.Topic, delivery.Print);
        if (_unclaimed.TryGetValue(key, out var others) && others.Remove(delivery) && others.Count == 0)
            _unclaimed.Remove(key);
    }

    // Those that have ended would wait for an earlier one whose end does not come.
    private void ForgetLogged()
    {
        for (var left = _byTime.Count; left > 0; left--)
        {
            var publication = _byTime.Dequeue();
            if (!publication.IsLogged)
                _byTime.Enqueue(publication);
        }
    }

    private void Forget()
    {
        var delivery = _unclaimedByTime.Dequeue();
        _unclaimedInPart -= delivery.Print < 0 ? 1 : 0;
        if (delivery.IsClaimed)
            return;
        counts.DeliveriesWithoutPublication++;
        Drop(delivery);
    }

    private long NotBefore(PendingPublication publication, long nanoseconds)
    {
        if (nanoseconds >= publication.Sent)
            return nanoseconds;
        counts.EarlyAnswers++;
        return publication.Sent;
    }

    private void FinishIfDone(PendingPublication publication)
    {
        if (!publication.IsLogged && publication.IsDone && (Unforeseeable == 0 || publication.IsUnknown))
            Finish(publication);
    }

    private void Finish(PendingPublication publication)
    {
        var outcome =
            publication.IsUnknown ? ExchangeOutcome.Cancelled
            : publication.IsRefused ? ExchangeOutcome.Refused
            : ExchangeOutcome.Success;
        Finish(publication, outcome, publication.End);
    }

    private void Finish(PendingPublication publication, ExchangeOutcome outcome, long end)
    {
        if (publication.IsLogged)
            return;
        publication.IsLogged = true;
        Count--;
        _openInPart -= publication.Print < 0 ? 1 : 0;
        foreach (var client in publication.Missing)
            client.Awaited.Remove(publication);
        publication.Missing.Clear();
        Unlink(publication);
        if (!publication.IsUnknown)
            publication.Client.Trace.Reached(publication.Receivers);
        if (outcome == ExchangeOutcome.Success)
            publication.Client.Trace.Answered(end);
        rows.Add(publication, outcome, end);
    }

    private void Unlink(PendingPublication publication)
    {
        var key = (publication.Topic, publication.Print);
        ref var alike = ref CollectionsMarshal.GetValueRefOrNullRef(_open, key);
        PendingPublication? before = null;
        for (var one = alike.First; one != publication; one = one.NextAlike!)
            before = one;
        if (before is not null)
            before.NextAlike = publication.NextAlike;
        else if (publication.NextAlike is { } next)
            alike.First = next;
        else
            _open.Remove(key);
        if (before is not null && publication.NextAlike is null)
            alike.Last = before;
        publication.NextAlike = null;
    }

    private sealed record UnclaimedDelivery(
        Participant Client,
        SeenTopic Topic,
        long Print,
        int Length,
        long Nanoseconds
    )
    {
        public bool IsClaimed { get; set; }
    }
}
