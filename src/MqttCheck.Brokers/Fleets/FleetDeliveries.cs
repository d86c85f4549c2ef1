using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Profiles.Behaviours;

namespace MqttCheck.Brokers.Fleets;

/// <summary>Handles the messages that arrive at the clients of a fleet, and tracks which are awaited.</summary>
/// <param name="clients">The clients by number; null where another part of the fleet has them.</param>
/// <param name="shares">The shared subscription of each client, -1 for none; null when no client has one.</param>
/// <param name="peers">The other parts of the fleet; null where there are none.</param>
/// <param name="topics">The numbers of topics and filters.</param>
internal sealed class FleetDeliveries(
    FleetClient?[] clients,
    IReadOnlyList<int>? shares,
    FleetPeers? peers,
    TopicSpace topics
)
{
    /// <summary>The awaited messages by client.</summary>
    public DeliveryLedger Ledger { get; } = new(clients.Length, shares, topics);

    /// <summary>Awaited deliveries that did not come in time.</summary>
    public long Lost { get; set; }

    /// <summary>Messages that are not of this run.</summary>
    public long Strays { get; set; }

    /// <summary>Messages received again without a reason.</summary>
    public long Duplicates { get; private set; }

    /// <summary>Messages received again because a session was resumed.</summary>
    public long Redeliveries { get; set; }

    /// <summary>A message of this run arrived at a client.</summary>
    public void Take(int receiver, int topic, ulong number, bool isRedelivery, long atNanoseconds)
    {
        var publisher = number >> 32;
        if (publisher < (ulong)clients.Length && clients[publisher] is null)
            peers!.Delivered((int)publisher, receiver, topic, number, isRedelivery, atNanoseconds);
        else
            TakeOwn(receiver, topic, number, isRedelivery, atNanoseconds, isElsewhere: false);
    }

    /// <summary>A client went away or unsubscribed, so deliveries to it are awaited no longer.</summary>
    /// <param name="receiver">The client.</param>
    /// <param name="topic">The topic or filter, or -1 for all.</param>
    /// <param name="atNanoseconds">When.</param>
    public void Release(int receiver, int topic, long atNanoseconds)
    {
        for (var publisher = 0; publisher < clients.Length && Ledger.IsAwaitedAt(receiver); publisher++)
        {
            if (Ledger.Release(publisher, receiver, topic))
                clients[publisher]!.OnReleased(atNanoseconds);
        }
    }

    /// <summary>A message of a client in this part arrived, at a client of this part or of another.</summary>
    public void TakeOwn(int receiver, int topic, ulong number, bool isRedelivery, long atNanoseconds, bool isElsewhere)
    {
        var (kind, publisher) = Ledger.Deliver(receiver, topic, number);
        switch (kind)
        {
            case DeliveryKind.Awaited or DeliveryKind.LastAwaited:
                if (!isElsewhere)
                    clients[receiver]!.OnReceived(clients[publisher]!.UnderWaySince, atNanoseconds);
                clients[publisher]!.OnDelivered(atNanoseconds, kind == DeliveryKind.LastAwaited, isElsewhere);
                break;
            case DeliveryKind.Repeated when isRedelivery:
                Redeliveries++;
                break;
            case DeliveryKind.Repeated:
                Duplicates++;
                break;
            case DeliveryKind.Stray:
                Strays++;
                break;
            default:
                break;
        }
    }
}
