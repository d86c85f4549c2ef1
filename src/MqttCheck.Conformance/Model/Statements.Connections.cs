using static MqttCheck.Conformance.Model.StatementClass;

namespace MqttCheck.Conformance.Model;

/// <content>Connections and sessions.</content>
internal static partial class Statements
{
    /// <summary>Availability: no statement of MQTT, but the ground of all of them.</summary>
    public static readonly Statement Available = new(
        "available",
        "1.2",
        "1.2",
        Must,
        "The broker runs on, accepts connections and answers, whatever clients do."
    );
    internal static readonly Statement ConnectionKept = new(
        "connection-kept",
        "4.8",
        "4.13",
        Should,
        "A connection on which no rule was broken stays."
    );

    // A broker may be set up to refuse certain requests, and announce it. That is no violation, but must be known,
    // because it keeps other statements from being judged.
    internal static readonly Statement Permitted = new(
        "permitted",
        "5.4.2",
        "5.4.2",
        Configuration,
        "The broker is set up to let the check's clients connect, subscribe and publish."
    );
    internal static readonly Statement Offered = new(
        "offered",
        null,
        "3.2.2.3",
        Configuration,
        "The broker is set up to take every kind of subscription; what CONNACK says is not offered may be refused."
    );

    /// <summary>Bounds: what comes ends at some time.</summary>
    public static readonly Statement NoFlood = new(
        "no-flood",
        "4.3",
        "4.3",
        Must,
        "A client gets no more messages than its subscriptions explain."
    );

    // Connect
    internal static readonly Statement Connack = new(
        "connack",
        "3.1.4-4",
        "3.1.4-5",
        Must,
        "A valid CONNECT is answered by CONNACK with code 0."
    );
    internal static readonly Statement ConnackFirst = new(
        "connack-first",
        "3.2.0-1",
        "3.2.0-1",
        Must,
        "CONNACK is the first packet from the server."
    );
    internal static readonly Statement OneConnack = new(
        "one-connack",
        "3.2.0",
        "3.2.0-2",
        Must,
        "A connection gets one CONNACK only."
    );
    internal static readonly Statement CleanNotPresent = new(
        "clean-session-not-present",
        "3.2.2-1",
        "3.2.2-2",
        Must,
        "The answer to a clean start says that no session is present."
    );
    internal static readonly Statement SessionPresent = new(
        "session-present",
        "3.1.2-4",
        "3.1.2-5",
        Must,
        "A stored session is resumed, and CONNACK says so."
    );
    internal static readonly Statement SessionAbsent = new(
        "session-not-present",
        "3.2.2-3",
        "3.2.2-3",
        Must,
        "Without a stored session CONNACK says that none is present."
    );
    internal static readonly Statement TakeOver = new(
        "take-over",
        "3.1.4-2",
        "3.1.4-3",
        Must,
        "A second connection of a client identifier ends the first."
    );

    // The specification says that the server tells the old connection, but without a keyword of its own; the MUST is
    // about closing.
    internal static readonly Statement TakeOverTold = new(
        "take-over-told",
        null,
        "3.1.4-3",
        Should,
        "A connection that is taken over gets DISCONNECT with 0x8E (session taken over)."
    );
    internal static readonly Statement WillWithinLimits = new(
        "will-within-limits",
        null,
        "3.2.2-12",
        Must,
        "A CONNECT whose will exceeds Maximum QoS, or is retained where nothing is (3.2.2-13), is refused."
    );
    internal static readonly Statement SecondConnect = new(
        "second-connect",
        "3.1.0-2",
        "3.1.0-2",
        Must,
        "A second CONNECT on a connection ends it."
    );
    internal static readonly Statement LegalDisconnect = new(
        "server-disconnect",
        "3.14",
        "3.14.2-1",
        Must,
        "The server sends DISCONNECT only where the version has it, with a listed code."
    );

    internal static readonly Statement SilentBehindDisconnect = new(
        "silent-behind-disconnect",
        null,
        "3.14.4-1",
        Must,
        "The server sends nothing behind its DISCONNECT."
    );
    internal static readonly Statement ClosesBehindDisconnect = new(
        "closes-behind-disconnect",
        null,
        "3.14.4-2",
        Must,
        "The server closes the connection behind its DISCONNECT."
    );

    internal static readonly Statement FirstPacket = new(
        "first-packet",
        "3.1.0-1",
        "3.1.0-1",
        Must,
        "A connection that begins with something else than CONNECT is closed."
    );
    internal static readonly Statement RefusedNotPresent = new(
        "refused-not-present",
        "3.2.2-4",
        "3.2.2-6",
        Must,
        "The answer to a refused CONNECT says that no session is present."
    );
    internal static readonly Statement RefusedCloses = new(
        "refused-closes",
        "3.2.2-5",
        "3.2.2-7",
        Must,
        "A connection whose CONNECT was refused is closed."
    );
    internal static readonly Statement RefusedIgnored = new(
        "refused-ignored",
        "3.1.4-5",
        "3.1.4-6",
        Must,
        "What came behind a refused CONNECT has no effect."
    );

    // A server that speaks MQTT 5 too may follow that, and close without an answer (MQTT-3.1.2-2 of MQTT 5).
    internal static readonly Statement LevelRefused = new(
        "level-refused",
        "3.1.2-2",
        null,
        Should,
        "An unknown protocol level is answered by CONNACK with return code 1."
    );
    internal static readonly Statement MalformedConnectSilent = new(
        "malformed-connect-silent",
        "3.1.4-1",
        null,
        Must,
        "A malformed CONNECT gets no CONNACK."
    );
    internal static readonly Statement UnknownMethod = new(
        "unknown-method",
        null,
        "4.12.0-1",
        Must,
        "A CONNECT with an authentication method that the server does not know ends the connection."
    );
    internal static readonly Statement AuthenticationUnasked = new(
        "authentication-unasked",
        null,
        "4.12.0-6",
        Must,
        "A client that named no authentication method gets no AUTH, and no method in CONNACK."
    );
    internal static readonly Statement MaximumQos = new(
        "maximum-qos",
        null,
        "3.2.2-9",
        Must,
        "A server that does not take every quality of service of a publication says so in CONNACK."
    );
    internal static readonly Statement AnyQosSubscribed = new(
        "any-qos-subscribed",
        null,
        "3.2.2-10",
        Must,
        "A server with a Maximum QoS takes SUBSCRIBE of any quality of service."
    );
    internal static readonly Statement EmptyIdentifier = new(
        "empty-identifier",
        "3.1.3-8",
        "3.2.2-16",
        Must,
        "An empty client identifier is refused without a clean session (3.1.1); the one that the server chose is "
            + "told (5)."
    );

    // Session
    internal static readonly Statement IdentifiersDiffer = new(
        "identifiers-differ",
        "3.1.3-2",
        "3.1.3-2",
        Must,
        "Client identifiers that differ in any way identify different clients and sessions."
    );
    internal static readonly Statement ProblemInformation = new(
        "problem-information",
        null,
        "3.1.2-29",
        Must,
        "Where CONNECT wants no problem information, only PUBLISH, CONNACK and DISCONNECT have a reason string or "
            + "user properties."
    );
    internal static readonly Statement AssignedIdentifierNew = new(
        "assigned-identifier-new",
        null,
        "3.2.2-16",
        Must,
        "A client identifier that the server assigns is used by no other session."
    );
    internal static readonly Statement ResponseInformation = new(
        "response-information",
        null,
        "3.1.2-28",
        Must,
        "CONNACK has response information only if CONNECT asked for it."
    );
    internal static readonly Statement CleanStart = new(
        "clean-start",
        "3.1.2-6",
        "3.1.2-4",
        Must,
        "A clean start drops the old session: its subscriptions and its messages."
    );
    internal static readonly Statement SessionEnds = new(
        "session-ends",
        "3.1.2-6",
        "4.1.0-2",
        Must,
        "A session that does not outlive its connection ends with it."
    );
    internal static readonly Statement OfflineQueue = new(
        "offline-queue",
        "3.1.2-5",
        "4.5.0-1",
        Must,
        "Messages of QoS 1 and 2 that match a session without connection are delivered when it is resumed."
    );
    internal static readonly Statement Resend = new(
        "resend",
        "4.4.0-1",
        "4.4.0-1",
        Must,
        "A resumed session gets every open PUBLISH and PUBREL again, with its packet identifier."
    );
    internal static readonly Statement ResendOrder = new(
        "resend-order",
        "4.6.0-1",
        "4.6.0-1",
        Must,
        "Messages that are sent again come in the order in which they were sent first."
    );
    internal static readonly Statement NoLiveResend = new(
        "no-live-resend",
        null,
        "4.4.0-1",
        Must,
        "A message is not sent again on the connection it was sent on."
    );

    internal static readonly Statement SessionExpiry = new(
        "session-expiry",
        null,
        "4.1.0-2",
        Must,
        "A session ends when its expiry interval has passed since its connection ended."
    );

    // Keep alive
    internal static readonly Statement KeepAlive = new(
        "keep-alive",
        "3.1.2-24",
        "3.1.2-22",
        Must,
        "A client that is silent for one and a half times its keep alive is disconnected."
    );
    internal static readonly Statement Pingresp = new(
        "pingresp",
        "3.12.4-1",
        "3.12.4-1",
        Must,
        "PINGREQ is answered by PINGRESP."
    );

    private static readonly Statement[] s_connections =
    [
        Available,
        NoFlood,
        ConnectionKept,
        Permitted,
        Offered,
        Connack,
        ConnackFirst,
        OneConnack,
        CleanNotPresent,
        SessionPresent,
        SessionAbsent,
        TakeOver,
        TakeOverTold,
        WillWithinLimits,
        FirstPacket,
        SecondConnect,
        LegalDisconnect,
        SilentBehindDisconnect,
        ClosesBehindDisconnect,
        LevelRefused,
        MalformedConnectSilent,
        UnknownMethod,
        AuthenticationUnasked,
        MaximumQos,
        AnyQosSubscribed,
        RefusedNotPresent,
        RefusedCloses,
        RefusedIgnored,
        EmptyIdentifier,
        IdentifiersDiffer,
        ProblemInformation,
        AssignedIdentifierNew,
        ResponseInformation,
        CleanStart,
        SessionEnds,
        SessionExpiry,
        OfflineQueue,
        Resend,
        ResendOrder,
        NoLiveResend,
        KeepAlive,
        Pingresp,
    ];
}
