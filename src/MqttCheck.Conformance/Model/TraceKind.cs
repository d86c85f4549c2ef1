namespace MqttCheck.Conformance.Model;

/// <summary>The kind of observation that an entry of a trace records.</summary>
public enum TraceKind : byte
{
    /// <summary>A client opened a connection.</summary>
    Opened,

    /// <summary>A client sent a packet.</summary>
    Sent,

    /// <summary>A client received a packet.</summary>
    Received,

    /// <summary>A client ended its connection.</summary>
    ClosedByClient,

    /// <summary>The broker ended the connection, or it broke.</summary>
    ClosedByBroker,

    /// <summary>A client sent bytes that break a rule on purpose.</summary>
    SentMalformed,

    /// <summary>
    /// A client decides not to wait for the answer to the PUBLISH whose identifier the packet (a PUBREL) has, or, with
    /// detail <c>release</c>, to send no PUBREL for it.
    /// </summary>
    Withholds,

    /// <summary>A wait is over: so much time has passed without any command.</summary>
    Waited,
}
