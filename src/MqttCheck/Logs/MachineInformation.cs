using System.Runtime.InteropServices;

namespace MqttCheck.Logs;

/// <summary>The machine that a run was made on. Latencies are those of broker and machine together.</summary>
/// <param name="OperatingSystem">Name and version of the operating system.</param>
/// <param name="Cores">How many processors the process may use.</param>
/// <param name="Processor">The processor's model name, or its architecture where the name is not known.</param>
/// <param name="Runtime">The .NET runtime.</param>
public sealed record MachineInformation(string OperatingSystem, int Cores, string Processor, string Runtime)
{
    /// <summary>A machine of which nothing is known.</summary>
    public static MachineInformation Unknown { get; } = new("unknown", 0, "unknown", "unknown");

    /// <summary>This machine.</summary>
    public static MachineInformation Current() =>
        new(
            RuntimeInformation.OSDescription,
            Environment.ProcessorCount,
            ProcessorName(),
            RuntimeInformation.FrameworkDescription
        );

    private static string ProcessorName()
    {
        try
        {
            foreach (var line in File.ReadLines("/proc/cpuinfo"))
            {
                if (line.StartsWith("model name", StringComparison.Ordinal))
                    return line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // Only Linux has this file; the architecture is known everywhere.
        }
        return RuntimeInformation.ProcessArchitecture.ToString();
    }
}
