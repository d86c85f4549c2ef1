using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>
/// Makes a node's capability of samples of its process, and leaves it alone while they vary a little.
/// </summary>
/// <param name="settings">Weights and hysteresis.</param>
internal sealed class CapabilitySamples(MachineCapability settings)
{
    private double _inUse = double.NaN;

    /// <summary>Takes a sample.</summary>
    /// <param name="processorNanoseconds">The processor time of the process since the sample before.</param>
    /// <param name="elapsedNanoseconds">The time since then, positive.</param>
    /// <param name="processors">How many processors the machine has.</param>
    /// <param name="memoryBytes">The memory of the process.</param>
    /// <param name="machineBytes">The memory of the machine.</param>
    /// <returns>The capability from now on; null if it stays as it is.</returns>
    public double? Take(
        double processorNanoseconds,
        double elapsedNanoseconds,
        int processors,
        double memoryBytes,
        double machineBytes
    )
    {
        var capability = settings.Of(
            Free(processorNanoseconds, elapsedNanoseconds * processors),
            Free(memoryBytes, machineBytes)
        );
        if (Math.Abs(capability - _inUse) <= settings.Hysteresis)
            return null;
        return _inUse = capability;
    }

    // Clocks of processor time advance in steps, so that a short time may seem to hold more than it can.
    private static double Free(double used, double all) => Math.Clamp(1 - (used / all), 0, 1);
}
