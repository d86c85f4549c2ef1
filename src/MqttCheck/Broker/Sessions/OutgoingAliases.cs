using MqttCheck.Protocol.Topics;

namespace MqttCheck.Broker.Sessions;

/// <summary>
/// The topic aliases that the broker uses towards one MQTT 5 client: the first topics it delivers get one each, for as
/// long as the connection lasts.
/// </summary>
/// <param name="maximum">The highest alias; 0 for none.</param>
internal sealed class OutgoingAliases(int maximum)
{
    private readonly Dictionary<byte[], ushort> _aliases = new(maximum == 0 ? 0 : 8, new TopicComparer());

    public static OutgoingAliases None { get; } = new(0);

    /// <summary>The alias of a topic, which gets one if there is one left.</summary>
    /// <param name="topic">The topic name in UTF-8.</param>
    /// <param name="isKnown">Whether the client knows the alias already, so that the topic can be left out.</param>
    /// <returns>The alias; 0 for none.</returns>
    public ushort Of(ReadOnlySpan<byte> topic, out bool isKnown)
    {
        isKnown = false;
        if (maximum == 0)
            return 0;
        var lookup = _aliases.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (lookup.TryGetValue(topic, out var alias))
        {
            isKnown = true;
            return alias;
        }
        if (_aliases.Count == maximum)
            return 0;
        alias = (ushort)(_aliases.Count + 1);
        _aliases.Add(topic.ToArray(), alias);
        return alias;
    }
}
