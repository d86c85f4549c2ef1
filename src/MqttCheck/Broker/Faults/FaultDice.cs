using MqttCheck.Statistics;

namespace MqttCheck.Broker.Faults;

/// <summary>
/// Decides at each occasion whether a fault happens. Each fault has its own random stream, so that switching one on
/// does not move another.
/// </summary>
internal sealed class FaultDice
{
    private readonly double[] _probabilities;
    private readonly RandomStream[] _streams;

    public FaultDice(FaultPlan plan, ulong seed)
    {
        _probabilities = [.. FaultCatalogue.All.Select(description => plan.Probability(description.Fault))];
        _streams =
        [
            .. FaultCatalogue.All.Select(description => RandomStream.For(seed, 0xFA, (ulong)description.Fault)),
        ];
    }

    public bool Happens(BrokerFault fault)
    {
        var probability = _probabilities[(int)fault];
        return probability > 0 && _streams[(int)fault].NextDouble() < probability;
    }
}
