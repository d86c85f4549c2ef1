using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>
/// The subscriptions of a run, all of which are known beforehand: who gets a message of a topic is looked up.
/// </summary>
internal sealed class SubscriptionTable
{
    private readonly Dictionary<string, int[][]> _byTopic = new(StringComparer.Ordinal);
    private readonly Subscriber[] _subscribers;
    private readonly bool[] _isWanted;
    private readonly bool[] _isActive;

    public SubscriptionTable(IReadOnlyList<SimulationStep> steps, int nodes)
    {
        _subscribers =
        [
            .. steps
                .Where(step => step.Kind == SimulationStepKind.Subscribe)
                .Select(step => new Subscriber(step.Node, step.Client, step.Topic, step.Qos))
                .Distinct(),
        ];
        _isActive = new bool[_subscribers.Length];
        _isWanted = new bool[_subscribers.Length];
        foreach (var topic in steps.Where(step => step.Kind == SimulationStepKind.Publish).Select(step => step.Topic))
            if (!_byTopic.ContainsKey(topic))
                _byTopic[topic] =
                [
                    .. Enumerable
                        .Range(0, nodes)
                        .Select(node =>
                            Enumerable
                                .Range(0, _subscribers.Length)
                                .Where(i =>
                                    _subscribers[i].Node == node && TopicFilter.Matches(_subscribers[i].Filter, topic)
                                )
                                .ToArray()
                        ),
                ];
    }

    /// <summary>A client's subscription.</summary>
    public readonly record struct Subscriber(int Node, int Client, string Filter, QualityOfService Qos);

    public ReadOnlySpan<Subscriber> All => _subscribers;

    /// <summary>The places in <see cref="All"/> of a node's subscriptions that match a topic, active or not.</summary>
    public ReadOnlySpan<int> Matching(int node, string topic) =>
        _byTopic.TryGetValue(topic, out var byNode) ? byNode[node] : default;

    /// <summary>Whether the client has subscribed, and its node runs.</summary>
    public ref bool IsActive(int place) => ref _isActive[place];

    /// <summary>Whether the client has subscribed; it does so again when its node comes back.</summary>
    public ref bool IsWanted(int place) => ref _isWanted[place];

    public void Clear()
    {
        Array.Clear(_isActive);
        Array.Clear(_isWanted);
    }

    /// <summary>Whether another active subscription of the node has the same filter.</summary>
    public bool HasOther(int place)
    {
        for (var other = 0; other < _subscribers.Length; other++)
            if (
                other != place
                && _isActive[other]
                && _subscribers[other].Node == _subscribers[place].Node
                && _subscribers[other].Filter == _subscribers[place].Filter
            )
                return true;
        return false;
    }

    /// <summary>The place of a client's subscription; -1 for none.</summary>
    public int Find(int client, string filter)
    {
        for (var place = 0; place < _subscribers.Length; place++)
            if (_subscribers[place].Client == client && _subscribers[place].Filter == filter)
                return place;
        return -1;
    }
}
