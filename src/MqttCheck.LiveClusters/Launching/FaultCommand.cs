using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Text;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>A command of the user that changes a node which runs already, such as one that kills it.</summary>
/// <param name="where">The cluster and the node, for messages.</param>
/// <param name="key">The key of the command in the file.</param>
/// <param name="command">The program and its arguments.</param>
internal sealed class FaultCommand(string where, string key, BrokerCommand command)
{
    // A program that stops in order may take some seconds, and a connection to another machine one more.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <summary>The command of a node, split into words as a shell does. No shell runs it.</summary>
    /// <param name="topology">The cluster.</param>
    /// <param name="node">The node.</param>
    /// <param name="key">The key of a command that the node has.</param>
    /// <exception cref="InputException">The text is no command.</exception>
    public static FaultCommand Of(Topology topology, int node, string key)
    {
        var place = topology.Nodes[node];
        var (where, text) = ($"{topology.Name}: node {place.Name}", place.Commands[key]);
        if (!ShellWords.TrySplit(text, out var words) || words.Count == 0)
            throw new InputException(
                $"{where}: {key}: '{Printable.Value(text)}' is no command; allowed: words, with each quote closed."
            );
        var broker = BrokerSpecification.Parse(place.Address ?? "");
        string[] filled = [.. words.Select(word => Fill(word, place.Name, broker))];
        return new(where, key, new BrokerCommand(filled[0], filled[1..]));
    }

    /// <summary>Runs the command, and waits for its end.</summary>
    /// <exception cref="BrokerException">It cannot be started, fails, or takes too long.</exception>
    public async Task RunAsync()
    {
        await using var child = ChildProcess.StartWatching(command);
        // The command gets no input, and is ended if it takes too long.
        var stopping = child.StopAsync(s_patience);
        var isInTime = await Task.WhenAny(child.Exited, Task.Delay(s_patience)) == child.Exited;
        await stopping;
        if (isInTime && child.Exited.Result == 0)
            return;
        var failure = isInTime
            ? string.Create(CultureInfo.InvariantCulture, $"ended with exit code {child.Exited.Result}")
            : string.Create(CultureInfo.InvariantCulture, $"did not end within {s_patience.TotalSeconds:0} s");
        var line = string.Join(' ', command.Arguments.Prepend(command.FileName));
        throw new BrokerException(
            $"Cluster {where}: the command of the key {key} {failure}: {Printable.Value(line)}. {child.Output}"
        );
    }

    private static string Fill(string word, string node, BrokerSpecification broker) =>
        word.Replace("{node}", node, StringComparison.Ordinal)
            .Replace("{host}", broker.Host, StringComparison.Ordinal)
            .Replace("{port}", broker.Port.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);
}
