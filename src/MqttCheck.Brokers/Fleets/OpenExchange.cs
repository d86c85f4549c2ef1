using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// A client's exchange from the moment it is planned until it is logged. Times are on the wire's clock; <see cref="None"/> is one that has not
/// come.
/// </summary>
internal struct OpenExchange
{
    /// <summary>No time.</summary>
    public const long None = long.MinValue;

    /// <summary>What is asked.</summary>
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
    private long _sendBound;
    private long _released;
    private int _receivers;

    /// <summary>When it was sent.</summary>
    public long Sent { get; private set; }

    /// <summary>When its acknowledgement came.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>When the last awaited delivery so far came.</summary>
    public long LastDelivery { get; private set; }

    /// <summary>How many clients were online and subscribed when it was sent.</summary>
    public int Subscribers { get; private set; }

    /// <summary>Its entry in the timeline.</summary>
    public int Entry { get; private set; }

    /// <summary>When everything that has come so far had come.</summary>
    public readonly long End => Math.Max(Math.Max(Sent, Acknowledged), Math.Max(LastDelivery, _released));

    /// <summary>The time to the acknowledgement in milliseconds, NaN without one.</summary>
    public readonly double AcknowledgementMilliseconds => Acknowledged == None ? double.NaN : Math.Max(0, Acknowledged - Sent) / 1e6;

    /// <summary>It was sent.</summary>
    public void Start(long sentNanoseconds, long boundNanoseconds, long issueIndex, int subscribers, int entry)
    {
        (Sent, _sendBound, _issueIndex, Subscribers, Entry) = (sentNanoseconds, boundNanoseconds, issueIndex, subscribers, entry);
        (Acknowledged, LastDelivery, _released, _receivers) = (None, None, None, 0);
    }

    /// <summary>Its acknowledgement came.</summary>
    public void Acknowledge(long atNanoseconds)
    {
        Narrow(atNanoseconds);
        Acknowledged = atNanoseconds;
    }

    /// <summary>An awaited delivery came.</summary>
    public void Deliver(long atNanoseconds)
    {
        Narrow(atNanoseconds);
        _receivers++;
        LastDelivery = Math.Max(LastDelivery, atNanoseconds);
    }

    /// <summary>The last missing delivery is not to be expected any more: until then it was awaited.</summary>
    public void Release(long atNanoseconds) => _released = atNanoseconds;

    /// <summary>The record for the log, without what the timeline adds.</summary>
    /// <param name="fleet">The run.</param>
    /// <param name="client">Number of the client.</param>
    /// <param name="sequence">Number of its sequence.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="endNanoseconds">When it ended.</param>
    public readonly Exchange ToRecord(Fleet fleet, int client, int sequence, ExchangeOutcome outcome, long endNanoseconds) => new()
    {
        Message = Action.Kind,
        TopicSize = Action.Topic >= 0 ? fleet.Packets.Topic(Action.Topic).Length : 0,
        MessageSize = Action.PayloadBytes,
        Subscribers = Subscribers,
        Receivers = _receivers,
        LatencyMilliseconds = outcome == ExchangeOutcome.Success ? (endNanoseconds - Sent) / 1e6 : double.NaN,
        Run = fleet.RunNumber,
        Client = client,
        Sequence = sequence,
        IssueIndex = _issueIndex,
        IntendedMicroseconds = fleet.Books.Microseconds(Intended),
        SentMicroseconds = fleet.Books.Microseconds(Sent),
        SendBoundMicroseconds = _sendBound / 1e3,
        AcknowledgedMicroseconds = fleet.Books.Microseconds(Acknowledged),
        LastDeliveryMicroseconds = fleet.Books.Microseconds(LastDelivery),
        Qos = Action.Qos,
        Topic = Action.Topic,
        Phase = Action.Phase,
        Outcome = outcome,
        EndMicroseconds = fleet.Books.Microseconds(endNanoseconds),
    };

    // An answer that came before the call that sent the request had returned says that the bytes left earlier than its middle.
    private void Narrow(long answerNanoseconds)
    {
        if (answerNanoseconds >= Sent + _sendBound) return;
        var earliest = Sent - _sendBound;
        _sendBound = Math.Max(0, answerNanoseconds - earliest) / 2;
        Sent = earliest + _sendBound;
    }
}
