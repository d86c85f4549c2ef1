namespace MqttCheck.LiveClusters.Nodes.Pipeline.Logs;

/// <summary>The kind of an entry in the log's file, or of a frame to its node.</summary>
internal enum LogEntryKind : byte
{
    /// <summary>A record of a producer, with the producer's number for it.</summary>
    Append = 1,

    /// <summary>A commit of all records before an offset.</summary>
    Commit = 2,

    /// <summary>A request for records; never in a file.</summary>
    Read = 3,

    /// <summary>The log is new; its records have offsets from a number on.</summary>
    Begin = 4,
}
