using MqttCheck.Protocol;

namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>A line of a bridge in one direction, as a subscription at the end that messages come from.</summary>
/// <param name="Line">Its index in <see cref="TopologyLink.Topics"/>.</param>
/// <param name="Filter">The filter at the end that messages come from.</param>
/// <param name="Prefix">The prefix that is taken off there.</param>
/// <param name="FarPrefix">The prefix that is put in front at the other end.</param>
/// <param name="Qos">The highest quality of service.</param>
internal sealed record BridgeSubscription(
    int Line,
    string Filter,
    string Prefix,
    string FarPrefix,
    QualityOfService Qos
) : IComparable<BridgeSubscription>
{
    /// <summary>Whether it may rename topics.</summary>
    public bool Renames => Prefix.Length + FarPrefix.Length > 0;

    /// <summary>The part of the filter that both ends share; empty where the prefixes are whole topics.</summary>
    public string Pattern => Filter[Prefix.Length..];

    /// <summary>The filter at the end that messages go to.</summary>
    public string FarFilter => FarPrefix + Pattern;

    /// <summary>The topic at the other end, if this line renames it.</summary>
    public string Rename(string topic) => FarPrefix + topic[BridgeForwarding.Stripped(topic, Prefix)..];

    /// <summary>The subscription of a line.</summary>
    public static BridgeSubscription Of(BridgeTopic topic, int line, bool isOut) =>
        isOut
            ? new(line, topic.LocalFilter, topic.LocalPrefix, topic.RemotePrefix, topic.Qos)
            : new(line, topic.RemoteFilter, topic.RemotePrefix, topic.LocalPrefix, topic.Qos);

    /// <summary>
    /// The order in which Mosquitto finds its subscriptions: at each level the name itself, then +, then #, which comes
    /// before the end of the topic too. The first one gives a client its only copy.
    /// </summary>
    public int CompareTo(BridgeSubscription? other)
    {
        if (other is null)
            return 1;
        var (left, right) = (Filter.Split('/'), other.Filter.Split('/'));
        for (var level = 0; level < Math.Min(left.Length, right.Length); level++)
        {
            var order = Rank(left[level]).CompareTo(Rank(right[level]));
            if (order == 0)
                order = string.CompareOrdinal(left[level], right[level]);
            if (order != 0)
                return order;
        }
        return right.Length.CompareTo(left.Length);
    }

    private static int Rank(string level) =>
        level switch
        {
            "#" => 2,
            "+" => 1,
            _ => 0,
        };
}
