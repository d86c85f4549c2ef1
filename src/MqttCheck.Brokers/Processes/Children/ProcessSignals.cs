using System.Runtime.InteropServices;

namespace MqttCheck.Brokers.Processes.Children;

/// <summary>Sends signals.</summary>
internal static partial class ProcessSignals
{
    // The numbers of SIGSTOP and SIGCONT differ between systems.
    private static readonly Dictionary<ProcessSignal, int> s_numbers = new()
    {
        [ProcessSignal.Test] = 0,
        [ProcessSignal.Kill] = 9,
        [ProcessSignal.Terminate] = 15,
        [ProcessSignal.Stop] = OperatingSystem.IsMacOS() ? 17 : 19,
        [ProcessSignal.Continue] = OperatingSystem.IsMacOS() ? 19 : 18,
    };

    private const int NoSuchProcess = 3;

    /// <summary>Sends a signal to a process; one that has ended gets none.</summary>
    /// <param name="signal">The signal.</param>
    /// <param name="processId">The process.</param>
    /// <exception cref="BrokerException">The system refuses, or knows no signals.</exception>
    public static void SendTo(this ProcessSignal signal, int processId)
    {
        if (OperatingSystem.IsWindows())
            throw new BrokerException("Windows cannot stop or freeze a process by a signal; use Linux or macOS.");
        if (Send(processId, s_numbers[signal]) != 0 && Marshal.GetLastPInvokeError() is var error and not NoSuchProcess)
            throw new BrokerException($"Process {processId} takes no signal: {Marshal.GetPInvokeErrorMessage(error)}.");
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Send(int processId, int signal);
}
