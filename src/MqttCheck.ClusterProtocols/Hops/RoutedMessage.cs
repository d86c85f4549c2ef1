using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>
/// An application message on its way through a cluster. Origin, incarnation and counter are its identity: a node that
/// has seen them drops a second copy.
/// </summary>
internal readonly record struct RoutedMessage
{
    /// <summary>The node whose client published it.</summary>
    public required int Origin { get; init; }

    /// <summary>Which process of that node: a random number, drawn at its start.</summary>
    public required ulong Incarnation { get; init; }

    /// <summary>The number of the publication at that process, from 0 on.</summary>
    public required long Counter { get; init; }

    /// <summary>The topic name.</summary>
    public required string Topic { get; init; }

    /// <summary>The quality of service it was published with.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>Whether the publisher set RETAIN.</summary>
    public bool Retain { get; init; }

    /// <summary>How many links it has crossed.</summary>
    public int Hops { get; init; }

    /// <summary>The size of its payload, in bytes.</summary>
    public int PayloadBytes { get; init; }

    /// <summary>Its number on a hop that numbers messages; 0 on one that does not.</summary>
    internal long HopSequence { get; init; }

    /// <summary>On such a hop: how many messages wait at the sender to be worked off.</summary>
    internal int HopQueueLength { get; init; }

    /// <summary>The application message that the broker forwards; null in simulations without bytes.</summary>
    internal Message? Content { get; init; }

    /// <summary>The message after one more link.</summary>
    internal RoutedMessage Forwarded() => this with { Hops = Hops + 1 };
}
