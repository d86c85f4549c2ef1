using MqttCheck.LiveClusters.Links;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>The traffic that entered a directed link during a run.</summary>
/// <param name="From">The node at its beginning.</param>
/// <param name="To">The node at its end.</param>
/// <param name="Before">The counters when the run began.</param>
/// <param name="After">The counters when it ended.</param>
internal sealed record LinkTraffic(int From, int To, LinkCounters Before, LinkCounters After)
{
    /// <summary>PUBLISH packets on ordinary topics, those of probes included.</summary>
    public long DataPublications => After.DataPublications - Before.DataPublications;

    /// <summary>PUBLISH packets on topics that begin with <c>$</c>.</summary>
    public long SystemPublications => After.SystemPublications - Before.SystemPublications;

    /// <summary>MQTT packets of any type.</summary>
    public long Packets => After.Packets - Before.Packets;

    /// <summary>Bytes of any protocol.</summary>
    public long Bytes => After.Bytes - Before.Bytes;
}
