namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>The topics of the log.</summary>
internal enum LogTopic
{
    /// <summary>Every publication, by its topic.</summary>
    All,

    /// <summary>Messages for persistent sessions, by client.</summary>
    Device,

    /// <summary>Messages for the clients that a broker serves; the partition is the broker.</summary>
    Downlink,
}
