namespace MqttCheck.Conformance.Generation;

/// <summary>The subject of a scenario: it decides which commands, with which contents, are likely.</summary>
public enum ScenarioSubject : byte
{
    /// <summary>Nothing above all.</summary>
    Anything,

    /// <summary>Retained messages that are stored, replaced, deleted and asked for.</summary>
    Retained,

    /// <summary>Messages for a session without connection, and its resumption.</summary>
    Absence,

    /// <summary>Exchanges of QoS 1 and 2 that go on over a connection that is lost.</summary>
    HalfFlows,

    /// <summary>Shared subscriptions with several members that come and go.</summary>
    Sharing,

    /// <summary>Topic aliases that are set, used and set anew.</summary>
    Aliases,

    /// <summary>A session with many subscriptions.</summary>
    ManySubscriptions,

    /// <summary>Several subscriptions of a session that match one topic.</summary>
    Overlap,

    /// <summary>Wills, and every way in which a connection can end.</summary>
    Wills,

    /// <summary>Receive Maximum and Maximum Packet Size of a client, and what it does not acknowledge yet.</summary>
    Limits,

    /// <summary>Topics with characters and levels that are seldom used.</summary>
    Names,

    /// <summary>Time: a connection on which nothing is sent.</summary>
    KeepAlive,

    /// <summary>Time: the session of a client without connection.</summary>
    SessionExpiry,

    /// <summary>Time: the will of a connection that is lost.</summary>
    WillDelay,

    /// <summary>Time: messages with an expiry interval that wait for a client.</summary>
    QueuedMessage,

    /// <summary>Time: retained messages with an expiry interval.</summary>
    RetainedMessage,
}
