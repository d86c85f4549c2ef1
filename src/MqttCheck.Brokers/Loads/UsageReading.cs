using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Loads;

/// <summary>What generator and broker had used at some time.</summary>
/// <param name="WallNanoseconds">The time on the wire's clock.</param>
/// <param name="ThreadNanoseconds">Processor time of the generator's thread, or null.</param>
/// <param name="GeneratorProcessor">Processor time of this process.</param>
/// <param name="CollectionPauses">How long garbage collections had stopped this process.</param>
/// <param name="AllocatedBytes">How many bytes this process had allocated.</param>
/// <param name="Broker">What the broker's process had used, or null.</param>
/// <param name="Host">What the processors of this machine had done, or null.</param>
internal readonly record struct UsageReading(
    long WallNanoseconds,
    long? ThreadNanoseconds,
    TimeSpan GeneratorProcessor,
    TimeSpan CollectionPauses,
    long AllocatedBytes,
    ProcessUsage? Broker,
    HostUsage? Host
)
{
    /// <summary>Reads it on the wire's thread.</summary>
    public static UsageReading Take(int? brokerProcessId, IWire wire) =>
        new(
            wire.NowNanoseconds,
            ThreadClock.ReadNanoseconds(),
            Environment.CpuUsage.TotalTime,
            GC.GetTotalPauseDuration(),
            GC.GetTotalAllocatedBytes(),
            brokerProcessId is { } process ? ProcessUsage.Read(process) : null,
            HostUsage.Read()
        );
}
