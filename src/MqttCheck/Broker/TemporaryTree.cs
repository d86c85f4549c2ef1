using System.Text;
namespace MqttCheck.Protocol;

internal sealed class SubscriptionTree<T> where T : class
{
    private readonly Dictionary<string, List<T>> _exact = [];
    private readonly Dictionary<string, List<T>> _wild = [];
    public void Add(string filter, T value)
    {
        var map = filter.AsSpan().ContainsAny('+', '#') ? _wild : _exact;
        if (!map.TryGetValue(filter, out var list)) map[filter] = list = [];
        list.Add(value);
    }
    public bool Remove(string filter, T value)
    {
        var map = filter.AsSpan().ContainsAny('+', '#') ? _wild : _exact;
        if (!map.TryGetValue(filter, out var list)) return false;
        var removed = list.Remove(value);
        if (list.Count == 0) map.Remove(filter);
        return removed;
    }
    public void Match(ReadOnlySpan<byte> topic, List<T> found)
    {
        var text = Encoding.UTF8.GetString(topic);
        if (_exact.TryGetValue(text, out var list)) found.AddRange(list);
        foreach (var (filter, values) in _wild)
            if (Broker.FilterRelations.Covers(filter, text)) found.AddRange(values);
    }
}
