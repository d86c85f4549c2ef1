using System.Globalization;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Brokers.Fleets.Machine;

/// <summary>The resources that generator and broker had used at some time.</summary>
/// <param name="WallNanoseconds">The time on the wire's clock.</param>
/// <param name="ThreadNanoseconds">Processor time of the generator's thread, or null.</param>
/// <param name="GeneratorProcessor">Processor time of this process.</param>
/// <param name="CollectionPauses">How long garbage collections had stopped this process.</param>
/// <param name="AllocatedBytes">How many bytes this process had allocated.</param>
/// <param name="Broker">The usage of the broker's process, or null.</param>
/// <param name="Host">The usage of the processors of this machine, or null.</param>
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
    /// <param name="brokerProcessId">The broker's process, or null if it is none of this machine.</param>
    /// <param name="nowNanoseconds">The time on the wire's clock.</param>
    public static UsageReading Take(int? brokerProcessId, long nowNanoseconds) =>
        new(
            nowNanoseconds,
            ThreadTime(),
            Environment.CpuUsage.TotalTime,
            GC.GetTotalPauseDuration(),
            GC.GetTotalAllocatedBytes(),
            brokerProcessId is { } process ? ProcessUsage.Read(process) : null,
            HostUsage.Read()
        );

    // The file has three numbers: time on the processor, time waiting for it, and time slices.
    private static long? ThreadTime() =>
        SystemFile.Read("/proc/thread-self/schedstat") is { } text
        && long.TryParse(text.Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out var nanoseconds)
        && nanoseconds > 0
            ? nanoseconds
            : null;
}
