namespace MqttCheck.Broker.Routing;

/// <summary>
/// The new subscriptions of one session whose retained messages have not all been looked up, first come first served.
/// At most one for each filter.
/// </summary>
internal sealed class RetainedDeliveries
{
    private readonly LinkedList<(Subscription Subscription, RetainedScan Scan)> _inOrder = new();
    private readonly Dictionary<string, LinkedListNode<(Subscription, RetainedScan)>> _byFilter = new(
        StringComparer.Ordinal
    );

    /// <summary>The subscription whose turn it is, or null.</summary>
    public (Subscription Subscription, RetainedScan Scan)? First => _inOrder.First?.Value;

    /// <summary>All of them.</summary>
    public IEnumerable<(Subscription Subscription, RetainedScan Scan)> InOrder => _inOrder;

    /// <summary>Adds a subscription, in the place of an earlier one with the same filter.</summary>
    public void Add(Subscription subscription, RetainedScan scan)
    {
        Remove(subscription.Filter);
        _byFilter.Add(subscription.Filter, _inOrder.AddLast((subscription, scan)));
    }

    /// <summary>Forgets a subscription, if it is among them.</summary>
    public void Remove(string filter)
    {
        if (_byFilter.Remove(filter, out var entry))
            _inOrder.Remove(entry);
    }
}
