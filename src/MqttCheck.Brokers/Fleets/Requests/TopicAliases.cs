namespace MqttCheck.Brokers.Fleets.Requests;

/// <summary>The topic aliases of one connection, in the order of first use.</summary>
/// <param name="first">The first topic that the client publishes to.</param>
/// <param name="topics">How many topics there are.</param>
/// <param name="wanted">The number of aliases that the client would like to use.</param>
internal sealed class TopicAliases(int first, int topics, int wanted)
{
    private readonly ushort[] _aliases = new ushort[topics];
    private int _used,
        _most;

    /// <summary>Begins a connection, without any alias.</summary>
    /// <param name="allowed">The topic alias maximum of the broker.</param>
    public void Begin(int allowed)
    {
        Array.Clear(_aliases);
        (_used, _most) = (0, Math.Min(allowed, wanted));
    }

    /// <summary>The alias of a topic.</summary>
    /// <param name="topic">Index of the topic.</param>
    /// <returns>The alias, 0 for none, and whether the broker knows it already.</returns>
    public (ushort Alias, bool IsKnown) Of(int topic)
    {
        ref var alias = ref _aliases[topic - first];
        if (alias != 0)
            return (alias, true);
        if (_used < _most)
            alias = (ushort)++_used;
        return (alias, false);
    }
}
