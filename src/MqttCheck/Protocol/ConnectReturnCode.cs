namespace MqttCheck.Protocol;

/// <summary>The CONNACK codes of MQTT 3.1.1 (section 3.2.2.3).</summary>
internal enum ConnectReturnCode : byte
{
    /// <summary>The connection is accepted.</summary>
    Accepted = 0,

    /// <summary>The protocol level is not served.</summary>
    UnacceptableProtocolVersion = 1,

    /// <summary>The client identifier is a valid string but not allowed.</summary>
    IdentifierRejected = 2,

    /// <summary>The service is not available.</summary>
    ServerUnavailable = 3,

    /// <summary>The user name or password is malformed.</summary>
    BadUserNameOrPassword = 4,

    /// <summary>The client may not connect.</summary>
    NotAuthorized = 5,
}
