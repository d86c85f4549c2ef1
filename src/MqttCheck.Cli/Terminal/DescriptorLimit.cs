using System.Globalization;

namespace MqttCheck.Cli.Terminal;

/// <summary>
/// Whether the system lets this program open as many files as it takes to start: otherwise it would end in the middle
/// of anything, with a message about something else.
/// </summary>
internal static class DescriptorLimit
{
    /// <summary>The fewest descriptors with which every command without clients works.</summary>
    public const int Fewest = 128;

    /// <summary>The problem in one sentence, or null where there is none or nothing is known.</summary>
    public static string? Problem()
    {
        if (!OperatingSystem.IsLinux())
            return null;
        try
        {
            return Problem(File.ReadAllLines("/proc/self/limits"));
        }
        catch (IOException)
        {
            return null;
        }
    }

    /// <summary>The same, given what Linux says of the limits of a process.</summary>
    internal static string? Problem(IReadOnlyList<string> limits)
    {
        const string name = "Max open files";
        var line = limits.FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal));
        var soft = line?[name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[0];
        return int.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out var limit) && limit < Fewest
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"This process may have {limit} file descriptors; needed: at least {Fewest}, and one for each client; "
                    + $"raise the limit with 'ulimit -n 4096'."
            )
            : null;
    }
}
