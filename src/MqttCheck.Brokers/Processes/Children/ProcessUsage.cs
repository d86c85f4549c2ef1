using System.Globalization;

namespace MqttCheck.Brokers.Processes.Children;

/// <summary>The resources that a process has used so far.</summary>
/// <param name="ProcessorTime">Processor time in user and system mode, of all its threads; in steps of 10 ms.</param>
/// <param name="ResidentBytes">Memory that it holds.</param>
internal readonly record struct ProcessUsage(TimeSpan ProcessorTime, long ResidentBytes)
{
    // The kernel reports times in USER_HZ, which is 100 on every architecture of Linux that .NET runs on.
    private const long TicksPerUnit = TimeSpan.TicksPerSecond / 100;

    /// <summary>Reads the usage of a process from /proc.</summary>
    /// <param name="processId">The process.</param>
    /// <returns>Null when there is no such process, or no /proc on this system.</returns>
    public static ProcessUsage? Read(int processId)
    {
        if (!OperatingSystem.IsLinux())
            return null;
        try
        {
            return Parse(File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{processId}/stat")));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Reads the text of a stat file, see proc(5).</summary>
    /// <param name="stat">The text.</param>
    internal static ProcessUsage Parse(string stat)
    {
        // The second field, the name in parentheses, may hold blanks and parentheses. The third field begins after the
        // last closing one.
        var fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        long Field(int number) => long.Parse(fields[number - 3], CultureInfo.InvariantCulture);
        const int userTime = 14,
            systemTime = 15,
            residentPages = 24;
        return new ProcessUsage(
            new TimeSpan((Field(userTime) + Field(systemTime)) * TicksPerUnit),
            Field(residentPages) * Environment.SystemPageSize
        );
    }
}
