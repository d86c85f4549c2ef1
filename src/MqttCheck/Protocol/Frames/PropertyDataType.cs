namespace MqttCheck.Protocol.Frames;

/// <summary>How a property's value is written (section 2.2.2.2 of MQTT 5).</summary>
internal enum PropertyDataType : byte
{
    /// <summary>No such property.</summary>
    Unknown = 0,

    /// <summary>One byte.</summary>
    OneByte,

    /// <summary>Two bytes, big endian.</summary>
    TwoBytes,

    /// <summary>Four bytes, big endian.</summary>
    FourBytes,

    /// <summary>A variable byte integer.</summary>
    VariableByteInteger,

    /// <summary>A UTF-8 string with a two-byte length.</summary>
    Text,

    /// <summary>Bytes with a two-byte length.</summary>
    Binary,

    /// <summary>Two strings, name and value.</summary>
    Pair,
}
