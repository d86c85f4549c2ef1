namespace MqttCheck.Protocol;

/// <summary>Bytes that break a rule of the protocol. The only exception that the decoder throws.</summary>
internal sealed class ProtocolException : Exception
{
    /// <summary>An exception that names the broken statement.</summary>
    /// <param name="statement">
    /// The statement, for example "MQTT-3.3.1-4", or the section for a rule without a number, for example "section
    /// 2.2.3".
    /// </param>
    /// <param name="offset">Offset of the offending byte from the first byte of the packet.</param>
    /// <param name="reasonCode">The reason code that an MQTT 5 peer would give in CONNACK or DISCONNECT.</param>
    /// <param name="message">A description of the error, with the value found.</param>
    public ProtocolException(string statement, int offset, ReasonCode reasonCode, string message)
        : base($"{message} (byte {offset}; {statement})") =>
        (Statement, Offset, ReasonCode) = (statement, offset, reasonCode);

    /// <summary>An exception without details.</summary>
    public ProtocolException()
        : this("The bytes are not a valid MQTT packet.") { }

    /// <summary>An exception with a message only.</summary>
    /// <param name="message">A description of the error.</param>
    public ProtocolException(string message)
        : base(message) { }

    /// <summary>An exception with a message and its cause.</summary>
    /// <param name="message">A description of the error.</param>
    /// <param name="innerException">The cause.</param>
    public ProtocolException(string message, Exception innerException)
        : base(message, innerException) { }

    /// <summary>
    /// The broken statement ("MQTT-3.3.1-4"), or the section of a rule without a number ("section 2.2.3").
    /// </summary>
    public string Statement { get; } = "";

    /// <summary>Offset of the offending byte from the first byte of the packet.</summary>
    public int Offset { get; }

    /// <summary>The reason code that an MQTT 5 peer would give in CONNACK or DISCONNECT.</summary>
    public ReasonCode ReasonCode { get; } = ReasonCode.MalformedPacket;
}
