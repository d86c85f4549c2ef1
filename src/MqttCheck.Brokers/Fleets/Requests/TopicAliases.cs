namespace MqttCheck.Brokers.Fleets.Requests;

/// <summary>The numbers that one connection sends in place of topic names, in the order of first use.</summary>
/// <param name="topics">How many topics there are.</param>
/// <param name="wanted">For how many the client would like to.</param>
internal sealed class TopicAliases(int topics, int wanted)
{
    private readonly ushort[] _aliases = new ushort[topics];
    private int _used,
        _most;

    /// <summary>A connection begins, without any number.</summary>
    /// <param name="allowed">How many numbers the broker takes.</param>
    public void Begin(int allowed)
    {
        Array.Clear(_aliases);
        (_used, _most) = (0, Math.Min(allowed, wanted));
    }

    /// <summary>The number of a topic.</summary>
    /// <param name="topic">Index of the topic.</param>
    /// <returns>The number, 0 for none, and whether the broker knows it already.</returns>
    public (ushort Alias, bool IsKnown) Of(int topic)
    {
        ref var alias = ref _aliases[topic];
        if (alias != 0)
            return (alias, true);
        if (_used < _most)
            alias = (ushort)++_used;
        return (alias, false);
    }
}
