namespace MqttCheck.MqttNet.Client;

/// <summary>The kind of an event that a client reports.</summary>
internal enum MqttNetEventKind : byte
{
    /// <summary>The connection may be used: nothing is connected before the CONNECT.</summary>
    Ready,

    /// <summary>The call that connects has ended, with a result.</summary>
    Connected,

    /// <summary>The call that connects has failed.</summary>
    ConnectFailed,

    /// <summary>A publication has ended, with a result.</summary>
    Published,

    /// <summary>A subscription has ended, with a result.</summary>
    Subscribed,

    /// <summary>The end of a subscription has ended, with a result.</summary>
    Unsubscribed,

    /// <summary>A ping was answered.</summary>
    Pinged,

    /// <summary>A call has failed.</summary>
    Failed,

    /// <summary>The call that disconnects has ended, with success or not.</summary>
    Left,

    /// <summary>The application's handler was given a message.</summary>
    Message,

    /// <summary>The application was told that the connection has ended.</summary>
    Disconnected,
}
