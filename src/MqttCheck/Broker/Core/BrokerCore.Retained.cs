using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;

namespace MqttCheck.Broker.Core;

/// <content>
/// Retained messages for new subscriptions. Few are sent at once; what takes longer is done in turns, one session after
/// the other, and leaves most of the time to everybody else.
/// </content>
internal sealed partial class BrokerCore
{
    private const int VisitsPerTurn = 4096;
    private const long TurnNanoseconds = 500_000;

    private readonly List<Message> _retainedFound = [];
    private readonly Queue<Session> _retainedTurns = new();
    private readonly BrokerTimer _retainedTurn = new(BrokerTimerKind.RetainedTurn, BrokerTimerKind.RetainedTurn);
    private long _turnEnds = long.MinValue;
    private int _visitsLeft;

    private void SendRetained(Subscription subscription)
    {
        if (Is(BrokerMutant.HashWithoutRetained) && subscription.Filter == "#")
            return;
        var session = subscription.Session;
        if (session.Retained is null)
        {
            session.Retained = new RetainedDeliveries();
            _retainedTurns.Enqueue(session);
        }
        session.Retained.Add(subscription, new RetainedScan(_retained, SharedFilter.FilterOf(subscription.Filter)));
        TakeRetainedTurns();
    }

    private void TakeRetainedTurns()
    {
        if (_now >= _turnEnds)
            (_turnEnds, _visitsLeft) = (_now + TurnNanoseconds, VisitsPerTurn);
        // A session that uses up its turn goes to the end of the queue.
        while (_visitsLeft > 0 && _retainedTurns.TryDequeue(out var session))
        {
            if (!session.HasEnded && !TakeRetainedTurn(session))
                _retainedTurns.Enqueue(session);
        }
        if (_retainedTurns.Count > 0)
            _timers.Set(_retainedTurn, _turnEnds);
    }

    /// <returns>Whether the session has all it waited for.</returns>
    private bool TakeRetainedTurn(Session session)
    {
        while (_visitsLeft > 0 && session.Retained!.First is { } first)
        {
            _retainedFound.Clear();
            first.Scan.Continue(
                Is(BrokerMutant.ExpiredRetainedSent) ? long.MinValue : _now,
                ref _visitsLeft,
                _retainedFound
            );
            foreach (var message in _retainedFound)
                DeliverRetained(first.Subscription, message);
            if (first.Scan.IsDone)
                session.Retained.Remove(first.Subscription.Filter);
        }
        if (session.Retained!.First is not null)
            return false;
        session.Retained = null;
        return true;
    }

    // "When a new subscription is made, the last retained message, if any, on each matching topic name MUST be sent to
    // the subscriber" (MQTT-3.3.1-6). So a message that is about to be replaced first goes to the subscribers that
    // still wait for it.
    private void SendBeforeItGoes(string topic)
    {
        if (_retained.Find(topic) is not { Message: { } message } node || message.HasExpired(_now))
            return;
        foreach (var session in _retainedTurns)
        {
            if (session is not { HasEnded: false, Retained: { } waiting })
                continue;
            foreach (var (subscription, scan) in waiting.InOrder)
                if (scan.HasYetToFind(node, topic))
                    DeliverRetained(subscription, message);
        }
    }

    private void DeliverRetained(Subscription subscription, Message message)
    {
        if (
            (subscription.NoLocal && message.Publisher == subscription.Session.ClientId)
            || (Is(BrokerMutant.ParentWithoutRetained) && IsParentOf(subscription.Filter, message))
        )
            return;
        var qos = subscription.Qos < message.Qos ? subscription.Qos : message.Qos;
        if (Is(BrokerMutant.RetainedExpiryNotCounted) && message.ExpirySeconds is { } seconds)
            message = message.Expiring(_now + (seconds * Second));
        Deliver(
            subscription.Session,
            new Delivery(
                message,
                qos,
                !Is(BrokerMutant.StoredWithoutRetain),
                Is(BrokerMutant.RetainedWithoutIdentifier) ? null : subscription.Identifiers
            )
        );
    }
}
