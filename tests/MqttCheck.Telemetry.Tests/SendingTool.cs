using System.Diagnostics;

namespace MqttCheck.Telemetry.Tests;

/// <summary>The tool in a process of its own: what it sends must not mix with that of other tests.</summary>
internal static class SendingTool
{
    /// <summary>A fleet that hardly waits.</summary>
    public const string Profile = """
        {
          "name": "quick",
          "waitMilliseconds": { "uniform": [0, 10] },
          "weights": { "connect": 1, "disconnect": 1, "publish": 6, "subscribe": 2, "unsubscribe": 1 },
          "topics": 5,
          "payloadBytes": [12, 80],
          "qos": 1,
          "sequenceLength": 10
        }
        """;

    /// <summary>Starts it.</summary>
    /// <param name="variables">Environment variables beside those of the tests.</param>
    public static Process Start(string folder, IEnumerable<(string Name, string Value)> variables, string[] arguments)
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, "MqttCheck.Cli"), arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        foreach (var (name, value) in variables)
            start.Environment[name] = value;
        return Process.Start(start)!;
    }

    /// <summary>Runs it to its end.</summary>
    public static Task<(int Code, string Output, string Error)> RunAsync(string folder, params string[] arguments) =>
        RunAsync(folder, [], arguments);

    /// <summary>Runs it to its end, with environment variables.</summary>
    public static async Task<(int Code, string Output, string Error)> RunAsync(
        string folder,
        IEnumerable<(string Name, string Value)> variables,
        params string[] arguments
    )
    {
        using var process = Start(folder, variables, arguments);
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        return (process.ExitCode, await output, await error);
    }
}
