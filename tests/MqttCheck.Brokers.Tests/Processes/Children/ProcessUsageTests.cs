using System.Diagnostics;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Brokers.Tests.Processes.Children;

public sealed class ProcessUsageTests
{
    [Test]
    public void The_fields_of_proc_stat_are_found_behind_a_name_with_blanks_and_parentheses()
    {
        // Fields 14 and 15 (250 and 50 units of 10 ms) and 24 (3 pages), numbered as in proc(5).
        const string stat =
            "4711 (a b) (c) S 1 4711 4711 0 -1 4194560 900 0 0 0 250 "
            + "50 7 8 20 0 1 0 5000 10000000 3 18446744073709551615 1 1 0";
        var usage = ProcessUsage.Parse(stat);
        Assert.That(
            (usage.ProcessorTime, usage.ResidentBytes),
            Is.EqualTo((TimeSpan.FromSeconds(3), 3 * Environment.SystemPageSize))
        );
    }

    [Test]
    public void This_process_uses_processor_time_and_memory()
    {
        if (!OperatingSystem.IsLinux())
            Assert.Ignore("Only Linux has /proc.");
        var before = ProcessUsage.Read(Environment.ProcessId)!.Value;
        var start = Stopwatch.GetTimestamp();
        while (ProcessUsage.Read(Environment.ProcessId)!.Value.ProcessorTime == before.ProcessorTime)
            Assert.That(
                Stopwatch.GetElapsedTime(start),
                Is.LessThan(TimeSpan.FromSeconds(20)),
                "this loop itself costs processor time"
            );
        Assert.That(before.ResidentBytes, Is.GreaterThan(1 << 20));
    }

    [Test]
    public void A_process_that_does_not_exist_uses_nothing() => Assert.That(ProcessUsage.Read(int.MaxValue), Is.Null);
}
