using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// A client's exchange from the moment it is planned until it is logged. Times are on the wire's clock;
/// <see cref="None"/> is one that has not come.
/// </summary>
internal struct OpenExchange
{
    /// <summary>No time.</summary>
    public const long None = long.MinValue;

    /// <summary>The action that is requested.</summary>
    public ClientAction Action;

    /// <summary>The identifier of the request's packet, if its kind has one.</summary>
    public ushort PacketId;

    /// <summary>The number of the message, if it is a publication.</summary>
    public ulong MessageNumber;

    /// <summary>When it was meant to be sent.</summary>
    public long Intended;

    /// <summary>When the connection for it was begun, if it is a connect.</summary>
    public long Attempted;

    /// <summary>When it fails, or, for a disconnect, when patience with the broker ends.</summary>
    public long Deadline;

    /// <summary>Whether the client ends the connection itself, since the broker does not.</summary>
    public bool IsClosing;

    private long _issueIndex;
    private SendStamp _sent;
    private long _released,
        _clockBound;
    private int _receivers;

    /// <summary>When it was sent.</summary>
    public readonly long Sent => _sent.Nanoseconds;

    /// <summary>When its acknowledgement came.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>When the last awaited delivery so far came.</summary>
    public long LastDelivery { get; private set; }

    /// <summary>How many clients were online and subscribed when it was sent.</summary>
    public int Subscribers { get; private set; }

    /// <summary>Its entry in the timeline.</summary>
    public int Entry { get; private set; }

    /// <summary>The time of the latest event so far: sending, acknowledgement, delivery or release.</summary>
    public readonly long End => Math.Max(Math.Max(Sent, Acknowledged), Math.Max(LastDelivery, _released));

    /// <summary>The time to the acknowledgement in milliseconds, NaN without one.</summary>
    public readonly double AcknowledgementMilliseconds =>
        Acknowledged == None ? double.NaN : Math.Max(0, Acknowledged - Sent) / 1e6;

    /// <summary>It was sent.</summary>
    public void Start(in SendStamp sent, long issueIndex, int subscribers, int entry)
    {
        (_sent, _issueIndex, Subscribers, Entry) = (sent, issueIndex, subscribers, entry);
        (Acknowledged, LastDelivery, _released, _receivers, _clockBound) = (None, None, None, 0, 0);
    }

    /// <summary>Its acknowledgement came.</summary>
    public void Acknowledge(long atNanoseconds)
    {
        _sent = _sent.NarrowedBy(atNanoseconds);
        Acknowledged = atNanoseconds;
    }

    /// <summary>An awaited delivery came.</summary>
    public void Deliver(long atNanoseconds)
    {
        _sent = _sent.NarrowedBy(atNanoseconds);
        _receivers++;
        LastDelivery = Math.Max(LastDelivery, atNanoseconds);
    }

    /// <summary>An awaited delivery came at a client of another part of the fleet.</summary>
    /// <param name="atNanoseconds">When, as far as the clocks of both parts agree.</param>
    /// <param name="boundNanoseconds">By how much they may disagree.</param>
    public void DeliverElsewhere(long atNanoseconds, long boundNanoseconds)
    {
        _receivers++;
        // A delivery cannot come before the message was sent, whatever another clock says.
        LastDelivery = Math.Max(LastDelivery, Math.Max(atNanoseconds, Sent));
        _clockBound = boundNanoseconds;
    }

    /// <summary>The last missing delivery is not expected any more; it was awaited until now.</summary>
    public void Release(long atNanoseconds) => _released = atNanoseconds;

    /// <summary>The record for the log, without what the timeline adds.</summary>
    /// <param name="fleet">The run.</param>
    /// <param name="client">Number of the client.</param>
    /// <param name="sequence">Number of its sequence.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="endNanoseconds">When it ended.</param>
    public readonly Exchange ToRecord(
        Fleet fleet,
        int client,
        int sequence,
        ExchangeOutcome outcome,
        long endNanoseconds
    ) =>
        new()
        {
            Message = Action.Kind,
            TopicSize = Action.Topic >= 0 ? fleet.Packets.Names.BytesOf(Action.Topic) : 0,
            MessageSize = Action.PayloadBytes,
            Subscribers = Subscribers,
            Receivers = _receivers,
            LatencyMilliseconds = outcome == ExchangeOutcome.Success ? (endNanoseconds - Sent) / 1e6 : double.NaN,
            Run = fleet.Setup.Run,
            Client = client,
            Sequence = sequence,
            IssueIndex = _issueIndex,
            IntendedMicroseconds = fleet.Books.Microseconds(Intended),
            SentMicroseconds = fleet.Books.Microseconds(Sent),
            SendBoundMicroseconds = (_sent.BoundNanoseconds + _clockBound) / 1e3,
            AcknowledgedMicroseconds = fleet.Books.Microseconds(Acknowledged),
            LastDeliveryMicroseconds = fleet.Books.Microseconds(LastDelivery),
            Qos = Action.Qos,
            Topic = Action.Topic,
            Phase = Action.Phase,
            Outcome = outcome,
            EndMicroseconds = fleet.Books.Microseconds(endNanoseconds),
        };
}
