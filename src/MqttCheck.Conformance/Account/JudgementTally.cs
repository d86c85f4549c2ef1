using MqttCheck.Conformance.Judges;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Account;

/// <summary>How often each statement was judged in each version, also in situations that have a name.</summary>
internal sealed class JudgementTally
{
    private readonly Dictionary<(bool IsV5, string Name), long> _times = [];

    /// <summary>A run is over.</summary>
    public void Add(ProtocolVersion version, ConformanceMonitor monitor)
    {
        var isV5 = version == ProtocolVersion.V5;
        foreach (var (statement, times) in monitor.Exercised)
            Add((isV5, statement.Name), times);
        foreach (var (statement, situations) in monitor.Situations)
        foreach (var (situation, times) in situations)
            Add((isV5, new JudgedBy(statement, situation).ToString()), times);
    }

    /// <summary>How often a statement was judged in a version.</summary>
    public long Times(ProtocolVersion version, JudgedBy by) =>
        _times.GetValueOrDefault((version == ProtocolVersion.V5, by.ToString()));

    private void Add((bool, string) key, int times) => _times[key] = _times.GetValueOrDefault(key) + times;
}
