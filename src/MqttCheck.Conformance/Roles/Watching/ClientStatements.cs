using MqttCheck.Conformance.Model;
using static MqttCheck.Conformance.Model.StatementClass;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>The duties of clients that a broker can see. The sentences are in our words.</summary>
internal static class ClientStatements
{
    public static readonly Statement Encoding = new(
        "encoding",
        "1.5",
        "1.5",
        Must,
        "What a client sends is well formed."
    );

    public static readonly Statement ConnectFirst = new(
        "connect-first",
        "3.1.0-1",
        "3.1.0-1",
        Must,
        "CONNECT is the first packet of a client."
    );

    public static readonly Statement ConnectOnce = new(
        "connect-once",
        "3.1",
        "3.1",
        Must,
        "A client sends CONNECT once on a connection."
    );

    public static readonly Statement IdentifierFree = new(
        "identifier-free",
        "2.3.1-2",
        "2.2.1-3",
        Must,
        "A client takes a free identifier for each new packet."
    );

    public static readonly Statement FirstWithoutDup = new(
        "first-without-dup",
        "4.3.2-1",
        "4.3.2-2",
        Must,
        "A message goes out with DUP 0 at first."
    );

    public static readonly Statement DupOnResend = new(
        "dup-on-resend",
        "3.3.1-1",
        "3.3.1-1",
        Must,
        "DUP is set on a PUBLISH that is sent again."
    );

    public static readonly Statement Resend = new(
        "resend",
        "4.4.0-1",
        "4.4.0-1",
        Must,
        "A resumed session sends every open PUBLISH and PUBREL again, with its identifier."
    );

    public static readonly Statement ResendOnlyThen = new(
        "resend-only-then",
        null,
        "4.4.0-1",
        Must,
        "Nothing is sent again but by a session that is resumed."
    );

    public static readonly Statement ResendOrder = new(
        "resend-order",
        "4.6.0-1",
        "4.6.0-1",
        Must,
        "Messages are sent again in the order of the first time."
    );

    public static readonly Statement PubackOrder = new(
        "puback-order",
        "4.6.0-2",
        "4.6.0-2",
        Must,
        "A client sends PUBACK in the order of PUBLISH."
    );

    public static readonly Statement PubrecOrder = new(
        "pubrec-order",
        "4.6.0-3",
        "4.6.0-3",
        Must,
        "A client sends PUBREC in the order of PUBLISH."
    );

    public static readonly Statement PubrelOrder = new(
        "pubrel-order",
        "4.6.0-4",
        "4.6.0-4",
        Must,
        "A client sends PUBREL in the order of PUBREC."
    );

    public static readonly Statement Puback = new(
        "puback",
        "4.3.2-2",
        "4.3.2-4",
        Must,
        "A PUBLISH of QoS 1 is answered by PUBACK."
    );

    public static readonly Statement Pubrec = new(
        "pubrec",
        "4.3.3-2",
        "4.3.3-8",
        Must,
        "A PUBLISH of QoS 2 is answered by PUBREC."
    );

    public static readonly Statement Pubrel = new(
        "pubrel",
        "4.3.3-1",
        "4.3.3-4",
        Must,
        "PUBREC is answered by PUBREL, and PUBREL is sent for nothing else."
    );

    public static readonly Statement Pubcomp = new(
        "pubcomp",
        "4.3.3-2",
        "4.3.3-11",
        Must,
        "PUBREL is answered by PUBCOMP."
    );

    public static readonly Statement NoPublishBehindPubrel = new(
        "no-publish-behind-pubrel",
        "4.3.3-1",
        "4.3.3-6",
        Must,
        "A PUBLISH is not sent again behind its PUBREL."
    );

    public static readonly Statement AnswerIdentifier = new(
        "answer-identifier",
        "2.3.1-6",
        "2.2.1-5",
        Must,
        "PUBACK, PUBREC and PUBCOMP carry the identifier of what they answer."
    );

    public static readonly Statement AnswerByQos = new(
        "answer-by-qos",
        "4.5.0-2",
        "4.5.0-2",
        Must,
        "A client acknowledges every message as its QoS demands."
    );

    public static readonly Statement AcknowledgedOnce = new(
        "acknowledged-once",
        "4.3.2-1",
        "4.4.0-1",
        Must,
        "A message that was acknowledged is not sent again."
    );

    public static readonly Statement RefusedOnce = new(
        "refused-once",
        null,
        "4.4.0-2",
        Must,
        "PUBACK or PUBREC with an error ends the exchange, and nothing is sent again."
    );

    public static readonly Statement NoPubrelForError = new(
        "no-pubrel-for-error",
        null,
        "4.3.3",
        Should,
        "PUBREC with an error is not answered by PUBREL."
    );

    public static readonly Statement CleanDropsState = new(
        "clean-drops-state",
        "3.1.2-6",
        "3.1.2-4",
        Must,
        "A clean session or Clean Start drops what the session before had sent."
    );

    public static readonly Statement AbsentDropsState = new(
        "absent-drops-state",
        null,
        "3.2.2-5",
        Must,
        "A client with state that hears of no session drops its state."
    );

    public static readonly Statement PresentWithoutState = new(
        "present-without-state",
        null,
        "3.2.2-4",
        Must,
        "A client without state that hears of a session closes the connection."
    );

    public static readonly Statement MaximumQos = new(
        "maximum-qos",
        null,
        "3.2.2-11",
        Must,
        "A client publishes at no QoS above the server's maximum."
    );

    public static readonly Statement RetainAvailable = new(
        "retain-available",
        null,
        "3.2.2-14",
        Must,
        "A client retains nothing at a server that retains nothing."
    );

    public static readonly Statement MaximumPacketSize = new(
        "maximum-packet-size",
        null,
        "3.2.2-15",
        Must,
        "A client sends no packet above the server's Maximum Packet Size."
    );

    public static readonly Statement AliasMaximum = new(
        "alias-maximum",
        null,
        "3.2.2-17",
        Must,
        "A client sends no topic alias above the server's maximum."
    );

    public static readonly Statement AliasOffered = new(
        "alias-offered",
        null,
        "3.2.2-18",
        Must,
        "A client sends no topic alias to a server without maximum."
    );

    public static readonly Statement AliasOfConnection = new(
        "alias-of-connection",
        null,
        "3.3.2-7",
        Must,
        "Topic aliases hold for one connection only."
    );

    public static readonly Statement ReceiveMaximum = new(
        "receive-maximum",
        null,
        "3.3.4-7",
        Must,
        "A client has no more open messages of QoS 1 and 2 than the server's Receive Maximum."
    );

    public static readonly Statement KeepAlive = new(
        "keep-alive",
        "3.1.2-23",
        "3.1.2-20",
        Must,
        "A client is never silent for longer than its keep alive."
    );

    public static readonly Statement ServerKeepAlive = new(
        "server-keep-alive",
        null,
        "3.2.2-21",
        Must,
        "A client takes the server's keep alive in place of its own."
    );

    public static readonly Statement NothingBehindDisconnect = new(
        "nothing-behind-disconnect",
        "3.14.4-2",
        "3.14.4-1",
        Must,
        "A client sends nothing behind its DISCONNECT."
    );

    public static readonly Statement DisconnectCloses = new(
        "disconnect-closes",
        "3.14.4-1",
        "3.14.4-2",
        Must,
        "A client closes the connection behind its DISCONNECT."
    );

    public static readonly Statement ExpiryAtDisconnect = new(
        "expiry-at-disconnect",
        null,
        "3.14.2.2.2",
        Must,
        "DISCONNECT gives no expiry to a session that had none."
    );

    public static readonly Statement NoAuth = new(
        "no-auth",
        null,
        "4.12.0-7",
        Must,
        "A client without method sends no AUTH."
    );

    public static readonly Statement Malformed = new(
        "malformed",
        "4.8.0-1",
        null,
        Must,
        "A client that gets a packet that breaks a rule closes the connection."
    );

    // "... a Client ... SHOULD close the Network Connection" (section 4.13.1), and section 4.13.1 leaves it to the
    // receiver how thoroughly it checks.
    public static readonly Statement MalformedDetected = new(
        "malformed-detected",
        null,
        "4.13",
        Should,
        "A client that gets a packet that breaks a rule closes the connection."
    );

    public static readonly Statement KeepsConnection = new(
        "keeps-connection",
        "4.8",
        "4.13",
        Should,
        "A client keeps a connection on which nothing went wrong."
    );

    /// <summary>All of them.</summary>
    public static readonly IReadOnlyList<Statement> All =
    [
        Encoding,
        ConnectFirst,
        ConnectOnce,
        IdentifierFree,
        FirstWithoutDup,
        DupOnResend,
        Resend,
        ResendOnlyThen,
        ResendOrder,
        PubackOrder,
        PubrecOrder,
        PubrelOrder,
        Puback,
        Pubrec,
        Pubrel,
        Pubcomp,
        NoPublishBehindPubrel,
        AnswerIdentifier,
        AnswerByQos,
        AcknowledgedOnce,
        RefusedOnce,
        NoPubrelForError,
        CleanDropsState,
        AbsentDropsState,
        PresentWithoutState,
        MaximumQos,
        RetainAvailable,
        MaximumPacketSize,
        AliasMaximum,
        AliasOffered,
        AliasOfConnection,
        ReceiveMaximum,
        KeepAlive,
        ServerKeepAlive,
        NothingBehindDisconnect,
        DisconnectCloses,
        ExpiryAtDisconnect,
        NoAuth,
        Malformed,
        MalformedDetected,
        KeepsConnection,
    ];
}
