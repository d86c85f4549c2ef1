using System.Diagnostics;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Describes the failures of a broker in words for people. The texts are constant, so that a storm of failures
/// allocates nothing.
/// </summary>
internal static class BrokerAnswers
{
    /// <summary>A deadline passed.</summary>
    public const string Silence = "no answer in time";

    /// <summary>The broker sent bytes that are no MQTT packet.</summary>
    public const string Malformed = "the broker sent bytes that are no MQTT packet";

    /// <summary>The broker sent a packet that a server must not send, or that nothing asked for.</summary>
    public const string Unexpected = "the broker sent a packet that answers no request";

    /// <summary>CONNACK has session present 1 although there can be no session.</summary>
    public const string SessionOutOfNowhere = "the broker resumed a session that does not exist (session present 1)";

    /// <summary>CONNACK has session present 0 although there was a session.</summary>
    public const string SessionForgotten = "the broker forgot the session (session present 0)";

    private static readonly Dictionary<ConnectReturnCode, string> s_connack311 = new()
    {
        [ConnectReturnCode.UnacceptableProtocolVersion] =
            "the broker refused the connection (CONNACK 1: unacceptable protocol version)",
        [ConnectReturnCode.IdentifierRejected] =
            "the broker refused the connection (CONNACK 2: client identifier rejected)",
        [ConnectReturnCode.ServerUnavailable] = "the broker refused the connection (CONNACK 3: server unavailable)",
        [ConnectReturnCode.BadUserNameOrPassword] =
            "the broker refused the connection (CONNACK 4: bad user name or password)",
        [ConnectReturnCode.NotAuthorized] = "the broker refused the connection (CONNACK 5: not authorized)",
    };

    private static readonly Dictionary<CloseReason, string> s_closed = new()
    {
        [CloseReason.ClosedByPeer] = "the broker closed the connection",
        [CloseReason.Reset] = "the connection was reset",
        [CloseReason.ClosedHere] = "the connection was closed here",
        [CloseReason.Refused] = "nobody answers at the address",
        [CloseReason.ConnectTimeout] = "the connection did not come about in time",
        [CloseReason.HandshakeFailed] = "the handshake failed",
        [CloseReason.SendBufferFull] = "the broker does not read what is sent",
        [CloseReason.LocalFailure] = "this machine could not make the connection",
    };

    private static readonly string[] s_connack = Texts(code =>
        $"the broker refused the connection (CONNACK {(byte)code}: {code})"
    );
    private static readonly string[] s_suback = Texts(code =>
        $"the broker refused the subscription (SUBACK {(byte)code}: {code})"
    );
    private static readonly string[] s_unsuback = Texts(code =>
        $"the broker refused to unsubscribe (UNSUBACK {(byte)code}: {code})"
    );
    private static readonly string[] s_publication = Texts(code =>
        $"the broker refused the message ({(byte)code}: {code})"
    );
    private static readonly string[] s_disconnect = Texts(code =>
        $"the broker ended the connection (DISCONNECT {(byte)code}: {code})"
    );

    /// <summary>SUBACK with a failure.</summary>
    public static string SubscriptionRefused(ReasonCode code) => s_suback[(byte)code];

    /// <summary>UNSUBACK with a failure.</summary>
    public static string UnsubscriptionRefused(ReasonCode code) => s_unsuback[(byte)code];

    /// <summary>PUBACK, PUBREC or PUBCOMP with a failure.</summary>
    public static string PublicationRefused(ReasonCode code) => s_publication[(byte)code];

    /// <summary>DISCONNECT from the broker.</summary>
    public static string Disconnected(ReasonCode code) => s_disconnect[(byte)code];

    /// <summary>A CONNACK that refuses.</summary>
    public static string ConnectionRefused(ProtocolVersion version, byte code) =>
        version >= ProtocolVersion.V5
            ? s_connack[code]
            : s_connack311.GetValueOrDefault(
                (ConnectReturnCode)code,
                "the broker refused the connection with a reserved CONNACK code"
            );

    /// <summary>A CONNACK of 3.1.1 that refuses.</summary>
    /// <summary>A connection that ended.</summary>
    public static string Describe(CloseReason reason, string detail)
    {
        var words = s_closed[reason];
        return detail.Length == 0 ? words : $"{words}: {detail}";
    }

    private static string[] Texts(Func<ReasonCode, FormattableString> text) =>
        [.. Enumerable.Range(0, 256).Select(code => FormattableString.Invariant(text((ReasonCode)code)))];
}
