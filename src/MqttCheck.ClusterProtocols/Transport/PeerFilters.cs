using MqttCheck.Protocol.Topics;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>The topic filters that the clients of a peer have subscribed to.</summary>
internal sealed class PeerFilters
{
    private HashSet<string> _filters = new(StringComparer.Ordinal);
    private HashSet<string>? _named;
    private int _missing;

    /// <summary>The peer names all its filters anew; until it has named them, those before count.</summary>
    /// <param name="count">How many follow.</param>
    public void BeginAnew(int count)
    {
        (_named, _missing) = (new(StringComparer.Ordinal), count);
        Finish();
    }

    /// <summary>A client of the peer has a filter.</summary>
    public void Add(string filter)
    {
        if (_named is null)
        {
            _filters.Add(filter);
            return;
        }
        _named.Add(filter);
        _missing--;
        Finish();
    }

    /// <summary>No client of the peer has a filter any more.</summary>
    public void Remove(string filter) => _filters.Remove(filter);

    /// <summary>Whether a client of the peer wants a topic.</summary>
    public bool Match(string topic)
    {
        if (_filters.Contains(topic))
            return true;
        foreach (var filter in _filters)
            if (TopicFilter.Matches(filter, topic))
                return true;
        return false;
    }

    private void Finish()
    {
        if (_missing > 0)
            return;
        (_filters, _named) = (_named!, null);
    }
}
