using System.CommandLine;

namespace MqttCheck.Cli.Serve;

/// <summary>When a command that serves a broker ends.</summary>
internal static class ServedBroker
{
    /// <summary>The hidden option of a broker that another command started: it ends when its standard input does.</summary>
    public const string ChildOption = "--until-input-ends";

    /// <summary>The option.</summary>
    public static Option<bool> Child() => new(ChildOption) { Hidden = true };

    /// <summary>Waits for Ctrl-C or SIGTERM and, for a child, for the end of its standard input.</summary>
    public static async Task Stopped(bool child, CancellationToken signal)
    {
        var signalled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = signal.Register(signalled.SetResult);
        if (!child)
        {
            await signalled.Task;
            return;
        }
        var input = Console.OpenStandardInput();
        await Task.WhenAny(signalled.Task, input.CopyToAsync(Stream.Null, CancellationToken.None));
    }
}
