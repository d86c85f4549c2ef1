using System.Diagnostics;

namespace MqttCheck.Brokers.Processes.Children;

/// <summary>Runs a small program and reads its output.</summary>
internal static class ProgramOutput
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    /// <summary>The first line of a program's standard output, empty when it prints none or cannot be run.</summary>
    /// <param name="fileName">The program.</param>
    /// <param name="argument">Its argument.</param>
    /// <param name="cancellation">Gives up.</param>
    public static async Task<string> FirstLineAsync(string fileName, string argument, CancellationToken cancellation)
    {
        var start = new ProcessStartInfo(fileName, [argument])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        try
        {
            using var process = Process.Start(start)!;
            process.StandardInput.Close();
            try
            {
                return await process
                        .StandardOutput.ReadLineAsync(cancellation)
                        .AsTask()
                        .WaitAsync(Patience, cancellation)
                    ?? "";
            }
            finally
            {
                if (!process.HasExited)
                    process.Kill();
            }
        }
        catch (Exception failure) when (failure is System.ComponentModel.Win32Exception or TimeoutException)
        {
            return "";
        }
    }
}
