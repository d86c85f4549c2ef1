using System.Globalization;

namespace MqttCheck.Brokers.Fleets.Machine;

/// <summary>
/// The processor time that was demanded on this machine so far, and the part that the host of a virtual machine stole.
/// </summary>
/// <param name="WantedTicks">The time of all processors in which something was running or ready to run.</param>
/// <param name="StolenTicks">The part of it in which the host ran something else.</param>
internal readonly record struct HostUsage(long WantedTicks, long StolenTicks)
{
    /// <summary>Reads it from /proc.</summary>
    /// <returns>Null where the system does not tell (anywhere but Linux).</returns>
    public static HostUsage? Read() => Parse(SystemFile.Read("/proc/stat")?.Split('\n')[0] ?? "");

    /// <summary>Reads the first line of /proc/stat, see proc(5); null for any other line.</summary>
    /// <param name="line">The line.</param>
    public static HostUsage? Parse(string line)
    {
        // user, nice, system, idle, iowait, irq, softirq, steal; guests are in user and nice already.
        const int idle = 3,
            waitsForInput = 4,
            stolen = 7;
        var fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (fields.Length <= stolen + 1 || fields[0] != "cpu")
            return null;
        var ticks = fields[1..(stolen + 2)].Select(field => long.Parse(field, CultureInfo.InvariantCulture)).ToArray();
        return new(ticks.Sum() - ticks[idle] - ticks[waitsForInput], ticks[stolen]);
    }

    /// <summary>The stolen share of the demanded time since an earlier reading; NaN if there was no demand.</summary>
    /// <param name="earlier">The earlier reading.</param>
    public double StolenShareSince(HostUsage earlier) =>
        WantedTicks > earlier.WantedTicks
            ? (StolenTicks - earlier.StolenTicks) / (double)(WantedTicks - earlier.WantedTicks)
            : double.NaN;
}
