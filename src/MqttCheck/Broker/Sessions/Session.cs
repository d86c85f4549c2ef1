using MqttCheck.Broker.Core;
using MqttCheck.Broker.Peers;
using MqttCheck.Broker.Routing;

namespace MqttCheck.Broker.Sessions;

/// <summary>
/// The state that the broker keeps of a client beyond its connection (section 4.1 of both specifications).
/// </summary>
internal sealed class Session
{
    private Queue<Delivery>? _queue;

    public Session(string clientId, bool scattersIdentifiers = false)
    {
        Window = new InFlightWindow<Delivery>(scattersIdentifiers);
        ClientId = clientId;
        Expiry = new BrokerTimer(this, BrokerTimerKind.SessionExpiry);
        WillDelay = new BrokerTimer(this, BrokerTimerKind.WillDelay);
        Held = new BrokerTimer(this, BrokerTimerKind.HeldDelivery);
    }

    public string ClientId { get; }

    /// <summary>The present connection, or null.</summary>
    public Connection? Connection { get; set; }

    /// <summary>How long the session outlives its connection.</summary>
    public uint ExpirySeconds { get; set; }

    /// <summary>Whether nothing of it is left.</summary>
    public bool HasEnded { get; set; }

    public BrokerTimer Expiry { get; }

    /// <summary>A will whose delay runs.</summary>
    public Will? PendingWill { get; set; }

    public BrokerTimer WillDelay { get; }

    /// <summary>A will that DISCONNECT discarded: one mutant keeps it.</summary>
    public Will? DiscardedWill { get; set; }

    public Dictionary<string, Subscription> Subscriptions { get; } = new(StringComparer.Ordinal);

    /// <summary>New subscriptions whose retained messages are still being sent; null when there are none.</summary>
    public RetainedDeliveries? Retained { get; set; }

    /// <summary>Messages sent and not finished.</summary>
    public InFlightWindow<Delivery> Window { get; }

    /// <summary>Packet identifiers of QoS 2 messages received and not released.</summary>
    public HashSet<ushort> ReceivedQos2 { get; } = [];

    /// <summary>Acknowledgements to the client that wait, in their order; null before the first.</summary>
    public Queue<HeldAck>? HeldAcks { get; set; }

    /// <summary>How many messages wait behind the window.</summary>
    public int QueuedCount => _queue?.Count ?? 0;

    /// <summary>Their bytes.</summary>
    public long QueuedBytes { get; private set; }

    /// <summary>A delivery that is held back until another has overtaken it, by the fault that reorders.</summary>
    public Delivery? HeldDelivery { get; set; }

    public BrokerTimer Held { get; }

    /// <summary>
    /// The number of the publication that reached this session last, so that overlapping subscriptions make one
    /// delivery.
    /// </summary>
    public long MatchedBy { get; set; }

    /// <summary>The place of that delivery in the router's list.</summary>
    public int MatchIndex { get; set; }

    public void Enqueue(in Delivery delivery)
    {
        (_queue ??= new Queue<Delivery>()).Enqueue(delivery);
        QueuedBytes += delivery.Message.Size;
    }

    /// <summary>Reverses the waiting deliveries, for a mutant.</summary>
    public void ReverseQueue()
    {
        if (_queue is not null)
            _queue = new Queue<Delivery>(_queue.Reverse());
    }

    public bool TryDequeue(out Delivery delivery)
    {
        delivery = default;
        if (_queue is null || !_queue.TryDequeue(out delivery))
            return false;
        QueuedBytes -= delivery.Message.Size;
        return true;
    }
}
