using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.LiveClusters.Disks;

/// <summary>A program of the system that makes, mounts or unmounts disks. It never takes longer than it may.</summary>
internal static class DiskProgram
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    /// <summary>Runs a program.</summary>
    /// <param name="name">The program.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <returns>Null when it did its work; otherwise how it failed, as the end of a sentence.</returns>
    /// <exception cref="BrokerException">It is not installed.</exception>
    public static async Task<string?> TryAsync(string name, params IReadOnlyList<string> arguments)
    {
        var path = CommandSearch.Find(name) ?? throw new BrokerException($"Command '{name}' is not installed.");
        var child = ChildProcess.StartWatching(new BrokerCommand(path, arguments));
        try
        {
            var code = await child.Exited.WaitAsync(s_patience);
            return code == 0
                ? null
                : string.Create(
                    CultureInfo.InvariantCulture,
                    $"'{name} {string.Join(' ', arguments)}' ended with exit code {code}. {child.Output}"
                );
        }
        catch (TimeoutException)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"'{name} {string.Join(' ', arguments)}' did not end within {s_patience.TotalSeconds:0} s"
            );
        }
        finally
        {
            await child.DisposeAsync();
        }
    }

    /// <summary>Runs a program.</summary>
    /// <exception cref="BrokerException">It is not installed, or failed.</exception>
    public static async Task RunAsync(string name, params IReadOnlyList<string> arguments)
    {
        if (await TryAsync(name, arguments) is { } failure)
            throw new BrokerException($"A node's disk: {failure}");
    }
}
