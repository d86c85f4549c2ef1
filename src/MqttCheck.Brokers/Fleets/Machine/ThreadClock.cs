using System.Buffers.Text;

namespace MqttCheck.Brokers.Fleets.Machine;

/// <summary>The processor time of the calling thread.</summary>
internal static class ThreadClock
{
    /// <summary>
    /// Nanoseconds of processor time that the calling thread has used, or null where the system does not tell (anywhere
    /// but Linux).
    /// </summary>
    public static long? ReadNanoseconds()
    {
        try
        {
            if (!OperatingSystem.IsLinux())
                return null;
            // Three numbers: time on the processor, time waiting for it, time slices.
            var text = File.ReadAllBytes("/proc/thread-self/schedstat");
            return Utf8Parser.TryParse(text, out long nanoseconds, out _) && nanoseconds > 0 ? nanoseconds : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
