namespace MqttCheck.Conformance.Generation;

/// <summary>Optional parts of a command, beside those that every command of its kind has.</summary>
[Flags]
internal enum CommandOptions
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>PUBLISH: RETAIN.</summary>
    Retain = 1,

    /// <summary>PUBLISH: RETAIN and no payload, which deletes the retained message.</summary>
    Delete = 2,

    /// <summary>PUBLISH: no payload.</summary>
    Empty = 4,

    /// <summary>PUBLISH: a large payload.</summary>
    Large = 8,

    /// <summary>PUBLISH, MQTT 5: a topic alias.</summary>
    Alias = 16,

    /// <summary>PUBLISH, MQTT 5: properties for the receiver.</summary>
    Properties = 32,

    /// <summary>PUBLISH, MQTT 5: a message expiry interval.</summary>
    Expiry = 64,

    /// <summary>PUBLISH: DUP on a new message.</summary>
    Duplicate = 128,

    /// <summary>PUBLISH: an identifier that is free again.</summary>
    Reuse = 256,

    /// <summary>PUBLISH: half a flow.</summary>
    Cut = 512,

    /// <summary>PUBLISH, MQTT 3.1.1: sent twice.</summary>
    Repeat = 1024,

    /// <summary>SUBSCRIBE, MQTT 5: No Local.</summary>
    NoLocal = 2048,

    /// <summary>SUBSCRIBE, MQTT 5: Retain As Published.</summary>
    AsPublished = 4096,

    /// <summary>SUBSCRIBE, MQTT 5: retained messages for a new subscription only.</summary>
    IfNew = 8192,

    /// <summary>SUBSCRIBE, MQTT 5: no retained messages.</summary>
    NoRetained = 16384,
}
