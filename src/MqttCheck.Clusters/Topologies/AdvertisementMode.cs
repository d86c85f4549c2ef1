namespace MqttCheck.Clusters.Topologies;

/// <summary>Two readings of how a node tells the others that it publishes on a topic.</summary>
internal enum AdvertisementMode
{
    /// <summary>The first publication travels with the advertisement, to every node.</summary>
    Carry,

    /// <summary>
    /// The advertisement travels alone: no remote subscriber gets the publication that caused it.
    /// </summary>
    Bare,
}
