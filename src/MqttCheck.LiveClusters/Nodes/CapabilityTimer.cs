using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>Samples processor and memory of this process, on the node's own thread.</summary>
/// <param name="wire">The node's clock.</param>
/// <param name="settings">How often, and what is made of it.</param>
/// <param name="change">Takes a new capability.</param>
internal sealed class CapabilityTimer(IWire wire, MachineCapability settings, Action<double> change) : ITimerHandler
{
    private readonly CapabilitySamples _samples = new(settings);
    private readonly long _period = (long)(settings.SampleSeconds * 1e9);
    private TimeSpan _processorTime = Environment.CpuUsage.TotalTime;
    private long _sampledAt;

    /// <summary>The first sample comes after one period; until then the node is as fit as its file says.</summary>
    public void Start()
    {
        _sampledAt = wire.NowNanoseconds;
        wire.Schedule(this, _sampledAt + _period, 0);
    }

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        var processorTime = Environment.CpuUsage.TotalTime;
        var capability = _samples.Take(
            (processorTime - _processorTime).TotalNanoseconds,
            Math.Max(1, nowNanoseconds - _sampledAt),
            Environment.ProcessorCount,
            Environment.WorkingSet,
            GC.GetGCMemoryInfo().TotalAvailableMemoryBytes
        );
        (_processorTime, _sampledAt) = (processorTime, nowNanoseconds);
        if (capability is { } changed)
            change(changed);
        wire.Schedule(this, nowNanoseconds + _period, 0);
    }
}
