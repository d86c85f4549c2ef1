namespace MqttCheck.Protocol.Packets;

/// <summary>Whether a subscription makes the server send retained messages (MQTT 5, section 3.8.3.1).</summary>
internal enum RetainHandling : byte
{
    /// <summary>Send them at every SUBSCRIBE.</summary>
    Send = 0,

    /// <summary>Send them only if the session lacked this subscription.</summary>
    SendIfNew = 1,

    /// <summary>Never send them.</summary>
    DoNotSend = 2,
}
