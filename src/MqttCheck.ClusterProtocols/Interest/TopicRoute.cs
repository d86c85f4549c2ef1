namespace MqttCheck.ClusterProtocols.Interest;

/// <summary>
/// The knowledge of a node about one topic: its rows of the publishers' (SRT) and the subscribers' table (PRT).
/// </summary>
internal sealed class TopicRoute(string topic, int neighbours)
{
    private readonly RouteMarks[] _marks = new RouteMarks[neighbours];

    public string Topic { get; } = topic;

    /// <summary>Whether a client of this node has published on it lately.</summary>
    public bool IsPublishedHere { get; set; }

    /// <summary>When a client of this node has published on it last.</summary>
    public long LastPublicationAt { get; set; }

    /// <summary>How many filters of this node's clients match it.</summary>
    public int LocalFilters { get; set; }

    /// <summary>The marks that are set for the neighbour at a place.</summary>
    public ref RouteMarks At(int place) => ref _marks[place];

    /// <summary>Whether nothing is known of it any more.</summary>
    public bool IsEmpty => !IsPublishedHere && Array.TrueForAll(_marks, marks => marks == RouteMarks.None);
}

/// <summary>The marks record what two neighbours have told each other about a topic.</summary>
[Flags]
internal enum RouteMarks : byte
{
    None = 0,

    /// <summary>The neighbour leads towards publishers: SRT.</summary>
    AdvertisedByPeer = 1,

    /// <summary>The neighbour has been told of publishers on this side.</summary>
    AdvertisedToPeer = 2,

    /// <summary>The neighbour wants the topic: PRT.</summary>
    WantedByPeer = 4,

    /// <summary>The neighbour has been told that the topic is wanted on this side.</summary>
    WantedFromPeer = 8,

    /// <summary>All that the neighbour has said.</summary>
    FromPeer = AdvertisedByPeer | WantedByPeer,

    /// <summary>All that it has been told.</summary>
    ToPeer = AdvertisedToPeer | WantedFromPeer,
}
