namespace MqttCheck.Brokers.Clusters.Pipeline.Logs;

/// <summary>What an entry of the log's file, or a frame to its node, is.</summary>
internal enum LogEntryKind : byte
{
    /// <summary>A record of a producer, with the producer's number for it.</summary>
    Append = 1,

    /// <summary>Everything before a place is done.</summary>
    Commit = 2,

    /// <summary>A request for records; never in a file.</summary>
    Read = 3,
}
