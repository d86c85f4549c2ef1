using System.CommandLine;
using MqttCheck.Cli.Live;

namespace MqttCheck.Cli.Serve;

/// <summary>When a command that serves something ends.</summary>
internal static class ServedBroker
{
    /// <summary>The option that another command gives which starts this one.</summary>
    public static Option<bool> Child() => new(OwnProgram.ChildOption) { Hidden = true };

    /// <summary>
    /// Waits for what the signal tells of, such as Ctrl-C, and, for a child, for the end of its standard input.
    /// </summary>
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
