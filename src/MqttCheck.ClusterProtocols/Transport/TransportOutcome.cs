using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>The result of one simulation of the transport, over all nodes.</summary>
internal sealed record TransportOutcome
{
    /// <summary>Messages that were handed upward in order, of one node in a second.</summary>
    public required double DeliveredPerSecond { get; init; }

    /// <summary>
    /// Messages that were worked off for the first time, of one node in a second; some may still wait for earlier ones.
    /// </summary>
    public required double ReceivedPerSecond { get; init; }

    /// <summary>The same in the last second.</summary>
    public required double ReceivedInLastSecond { get; init; }

    /// <summary>The share of data frames that had been sent before. 0 .. 1.</summary>
    public required double RetransmittedShare { get; init; }

    /// <summary>Data frames on the wire, those that were sent again included.</summary>
    public required long DataFrames { get; init; }

    /// <summary>Data frames that were sent again.</summary>
    public required long Retransmissions { get; init; }

    /// <summary>Messages that arrived at a full receive queue.</summary>
    public required long Dropped { get; init; }

    /// <summary>The largest length of a receive queue.</summary>
    public required int LongestReceiveQueue { get; init; }

    /// <summary>The node that had it.</summary>
    public required int NodeOfLongestQueue { get; init; }

    /// <summary>The largest length that the send queue of each node had.</summary>
    public required ValueList<int> LongestSendQueues { get; init; }
}
