using System.ComponentModel;
using System.Diagnostics;

namespace MqttCheck.Tests.Protocol.Interop;

/// <summary>
/// Runs programs that nobody here wrote. Without them a test is ignored, but fails in CI, where they must be installed.
/// </summary>
internal static class ExternalTool
{
    /// <summary>Runs a program to its end and returns its standard output.</summary>
    /// <param name="program">Name of the program, found on the path.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="install">How to get it, for the message.</param>
    /// <param name="input">Its standard input.</param>
    /// <param name="directory">Its working directory.</param>
    /// <param name="mayFailOffline">It needs the network: its failure counts like its absence.</param>
    internal static async Task<string> Run(
        string program,
        string[] arguments,
        string install,
        string input = "",
        string? directory = null,
        bool mayFailOffline = false
    )
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = directory ?? "",
        };
        using var process = new Process { StartInfo = start };
        try
        {
            process.Start();
        }
        catch (Win32Exception)
        {
            Missing($"{program} is not installed: {install}");
        }
        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        var output = process.StandardOutput.ReadToEndAsync(timeout.Token);
        var errors = process.StandardError.ReadToEndAsync(timeout.Token);
        await process.StandardInput.WriteAsync(input.AsMemory(), timeout.Token);
        process.StandardInput.Close();
        try
        {
            await process.WaitForExitAsync(timeout.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            Assert.Fail($"{program} did not end within two minutes.");
        }
        if (process.ExitCode != 0)
        {
            var message = $"{program} {string.Join(' ', arguments)} ended with {process.ExitCode}: {await errors}";
            if (mayFailOffline)
                Missing(message);
            Assert.Fail(message);
        }
        return await output;
    }

    private static void Missing(string message)
    {
        if (Environment.GetEnvironmentVariable("CI") == "true")
            Assert.Fail(message);
        Assert.Ignore(message);
    }
}
