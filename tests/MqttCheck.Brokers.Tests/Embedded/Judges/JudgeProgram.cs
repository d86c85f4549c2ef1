using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace MqttCheck.Brokers.Tests.Embedded.Judges;

/// <summary>
/// Runs programs that judge. Without them a test is ignored, but fails in CI, where they must be installed.
/// </summary>
internal static class JudgeProgram
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    /// <summary>The folder of a judge in the source.</summary>
    public static string SourceOf(string judge) =>
        RepositoryFiles.At($"tests/MqttCheck.Brokers.Tests/Embedded/Judges/{judge}");

    /// <summary>Installs what a judge needs from npm, into the build's output, and returns the folder.</summary>
    public static async Task<string> InstallNpmAsync(string judge, string package)
    {
        var target = Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, judge)).FullName;
        foreach (var file in Directory.GetFiles(SourceOf(judge)))
            File.Copy(file, Path.Combine(target, Path.GetFileName(file)), overwrite: true);
        if (!Directory.Exists(Path.Combine(target, "node_modules", package)))
            await RunAsync(
                "npm",
                ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                "install Node.js with npm",
                target,
                mayFailOffline: true
            );
        return target;
    }

    public static void RequireModule(string python, string module, string install)
    {
        using var process = Process.Start(
            new ProcessStartInfo(python, ["-c", $"import {module}"]) { RedirectStandardError = true }
        )!;
        process.StandardError.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0)
            Missing.Report($"Python module {module} is missing; {install}");
    }

    /// <summary>Runs a program to its end and returns the lines it printed.</summary>
    public static async Task<string[]> RunAsync(
        string program,
        string[] arguments,
        string install,
        string directory,
        bool mayFailOffline = false
    )
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
            WorkingDirectory = directory,
        };
        start.Environment["PYTHONIOENCODING"] = "utf-8";
        using var process = new Process { StartInfo = start };
        try
        {
            process.Start();
        }
        catch (Win32Exception)
        {
            Missing.Report($"{program} is not installed: {install}");
        }
        using var timeout = new CancellationTokenSource(Patience);
        var output = process.StandardOutput.ReadToEndAsync(timeout.Token);
        var errors = process.StandardError.ReadToEndAsync(timeout.Token);
        try
        {
            await process.WaitForExitAsync(timeout.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            Assert.Fail($"{program} {string.Join(' ', arguments)} did not end within {Patience.TotalSeconds} s.");
        }
        if (process.ExitCode != 0)
        {
            var message = $"{program} {string.Join(' ', arguments)} ended with {process.ExitCode}: {await errors}";
            if (mayFailOffline)
                Missing.Report(message);
            Assert.Fail(message);
        }
        return (await output).Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
