using System.Runtime.InteropServices;
using MqttCheck.Broker.Routing;

namespace MqttCheck.Broker.Peers;

/// <summary>How many subscriptions have a filter; peers are told of the first and the last.</summary>
/// <param name="peers">Who is told.</param>
internal sealed class FilterInterests(IBrokerPeers peers)
{
    private readonly Dictionary<string, int> _counts = new(StringComparer.Ordinal);

    /// <summary>A subscription was added.</summary>
    public void Add(string filter)
    {
        var plain = SharedFilter.FilterOf(filter);
        ref var count = ref CollectionsMarshal.GetValueRefOrAddDefault(_counts, plain, out _);
        if (++count == 1)
            peers.InterestBegan(plain);
    }

    /// <summary>A subscription was removed.</summary>
    public void Remove(string filter)
    {
        var plain = SharedFilter.FilterOf(filter);
        if (--_counts[plain] > 0)
            return;
        _counts.Remove(plain);
        peers.InterestEnded(plain);
    }
}
