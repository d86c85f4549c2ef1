namespace MqttCheck.Broker.Delays;

/// <summary>A connection to which a <see cref="DelayLine"/> hands over what it held back.</summary>
internal interface IDelayedConnection
{
    /// <summary>Sends a packet.</summary>
    /// <param name="packet">Valid during the call only.</param>
    void SendNow(ReadOnlySpan<byte> packet);

    /// <summary>Closes the connection after what was sent before.</summary>
    void CloseNow();
}
