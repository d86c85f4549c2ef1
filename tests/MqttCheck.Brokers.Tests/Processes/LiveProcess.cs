using System.Diagnostics;

namespace MqttCheck.Brokers.Tests.Processes;

internal static class LiveProcess
{
    public static bool Exists(int id)
    {
        try
        {
            using var process = Process.GetProcessById(id);
            return !process.HasExited;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }
}
