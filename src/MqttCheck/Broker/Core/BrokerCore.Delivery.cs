using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Broker.Core;

/// <content>Deliveries to clients: at once, behind the window, or after a reconnect.</content>
internal sealed partial class BrokerCore
{
    private const long HoldNanoseconds = 50_000_000;

    private void Deliver(Session session, Delivery delivery)
    {
        var times = 1;
        if (delivery.Qos == QualityOfService.AtMostOnce)
        {
            if (_dice.Happens(BrokerFault.LoseQos0, _now))
                return;
            if (_dice.Happens(BrokerFault.Duplicate, _now))
                times = 2;
        }
        else
        {
            if (_dice.Happens(BrokerFault.Lose, _now))
                return;
            if (
                _dice.Happens(
                    delivery.Qos == QualityOfService.AtLeastOnce ? BrokerFault.RepeatQos1 : BrokerFault.Duplicate,
                    _now
                )
            )
                times = 2;
        }
        if (_dice.Happens(BrokerFault.WrongQos, _now))
            delivery = delivery with
            {
                Qos =
                    delivery.Qos == QualityOfService.AtMostOnce
                        ? QualityOfService.AtLeastOnce
                        : QualityOfService.AtMostOnce,
            };
        if (session.HeldDelivery is null && _dice.Happens(BrokerFault.Reorder, _now))
        {
            session.HeldDelivery = delivery;
            _timers.Set(session.Held, _now + HoldNanoseconds);
            return;
        }
        for (; times > 0; times--)
            SendOrQueue(session, delivery);
        if (session.HeldDelivery is not null)
            ReleaseHeld(session);
    }

    private void ReleaseHeld(Session session)
    {
        var held = session.HeldDelivery!.Value;
        session.HeldDelivery = null;
        _timers.Cancel(session.Held);
        SendOrQueue(session, held);
    }

    private void SendOrQueue(Session session, in Delivery delivery)
    {
        var connection = session.Connection;
        if (delivery.Qos == QualityOfService.AtMostOnce)
        {
            if (
                connection is null
                || _output.IsCongested(connection.Number)
                || !_sender.SendPublish(connection, delivery, 0, duplicate: false, _now)
            )
                _counters.Dropped++;
            else
                _counters.Delivered++;
        }
        else if (connection is not null && session.QueuedCount == 0 && HasRoom(session, connection))
        {
            SendNew(session, connection, delivery);
        }
        else if (
            session.QueuedCount < _limits.QueuedMessagesPerSession
            && session.QueuedBytes + delivery.Message.Size <= _limits.QueuedBytesPerSession
        )
        {
            session.Enqueue(delivery);
        }
        else
        {
            _counters.Dropped++;
        }
    }

    // Unacknowledged messages of an earlier connection are sent again before new ones.
    private bool HasRoom(Session session, Connection connection) =>
        !session.Window.HasUnsent
        && session.Window.OpenHere < connection.SendQuota
        && session.Window.Count < _limits.InFlightPerClient
        && !_output.IsCongested(connection.Number);

    private void SendNew(Session session, Connection connection, in Delivery delivery, bool duplicate = false)
    {
        // A packet too large for the client is dropped as if it had been delivered (MQTT-3.1.2-25).
        if (!_sender.Fits(connection, delivery, _now))
        {
            _counters.Dropped++;
            return;
        }
        var packetId = session.Window.Add(delivery);
        duplicate |= delivery.Message.Duplicate && Is(BrokerMutant.DupForwarded);
        if (Is(BrokerMutant.SendingIsActivity))
            connection.LastReceivedNanoseconds = _now;
        _sender.SendPublish(connection, delivery, packetId, duplicate, _now);
        _counters.Delivered++;
    }

    /// <summary>Fills the room that an acknowledgement or a reconnect has made.</summary>
    private void Pump(Session session, bool isResuming = false)
    {
        if (session.Connection is not { } connection)
            return;
        var window = session.Window;
        if (isResuming && Is(BrokerMutant.WindowIgnoredOnResume))
            connection.SendQuota = ushort.MaxValue;
        while (window.HasUnsent && window.OpenHere < connection.SendQuota && !_output.IsCongested(connection.Number))
        {
            window.TryResend(out var packetId, out var delivery);
            if (
                _sender.SendPublish(connection, delivery, packetId, duplicate: !Is(BrokerMutant.ResendWithoutDup), _now)
            )
                _counters.Delivered++;
            else
                window.Finish(packetId, delivery.Qos);
        }
        var isPast = false;
        while (session.QueuedCount > 0 && HasRoom(session, connection))
        {
            session.TryDequeue(out var delivery);
            var isHead = isResuming && !isPast;
            isPast = true;
            if (delivery.Message.HasExpired(_now) && !SendsExpired(isHead))
            {
                _counters.Dropped++;
                if (Is(BrokerMutant.QueueStallsAtExpired))
                    break;
            }
            else
            {
                SendNew(
                    session,
                    connection,
                    delivery,
                    Is(isResuming ? BrokerMutant.DupAfterAbsence : BrokerMutant.DupBehindWindow)
                );
            }
        }
    }

    // MQTT-4.4.0-1: open PUBREL and PUBLISH packets are sent again, in their order.
    private void Resume(Session session)
    {
        session.Window.Rewind();
        SpoilResumed(session);
        if (Is(BrokerMutant.QueueLost))
            while (session.TryDequeue(out _))
                _counters.Dropped++;
        if (!Is(BrokerMutant.PubrelNotResumed))
            foreach (var packetId in session.Window.Released())
                _sender.SendAck(session.Connection!, PacketType.Pubrel, packetId, ReasonCode.Success);
        Pump(session, isResuming: true);
    }
}
