using MqttCheck.Statistics;

namespace MqttCheck.Broker.Faults;

/// <summary>
/// Decides at each occasion whether a fault happens. Each fault has its own random stream, so that switching one on
/// does not move another.
/// </summary>
internal sealed class FaultDice(FaultPlan plan, ulong seed)
{
    private readonly double[] _probabilities =
    [
        .. FaultCatalogue.All.Select(description => plan.Probability(description.Fault)),
    ];
    private readonly RandomStream[] _streams =
    [
        .. FaultCatalogue.All.Select(description => RandomStream.For(seed, 0xFA, (ulong)description.Fault)),
    ];
    private readonly int _load = plan.Load;
    private readonly Queue<long> _published = new();

    /// <summary>The broker receives a publication.</summary>
    /// <param name="nowNanoseconds">When.</param>
    public void Published(long nowNanoseconds)
    {
        if (_load == 0)
            return;
        _published.Enqueue(nowNanoseconds);
        if (_published.Count > _load + 1)
            _published.Dequeue();
    }

    /// <summary>Whether a fault happens now.</summary>
    /// <param name="fault">The fault.</param>
    /// <param name="nowNanoseconds">The time.</param>
    public bool Happens(BrokerFault fault, long nowNanoseconds)
    {
        var probability = _probabilities[(int)fault];
        return probability > 0 && IsLoaded(nowNanoseconds) && _streams[(int)fault].NextDouble() < probability;
    }

    // The load is above R when R + 1 publications came within the last second.
    private bool IsLoaded(long nowNanoseconds) =>
        _load == 0 || (_published.Count > _load && nowNanoseconds - _published.Peek() <= 1_000_000_000);
}
