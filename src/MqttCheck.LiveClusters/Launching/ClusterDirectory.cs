using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// The directory of a cluster, with one for each node. It outlives the nodes, so that one that starts again finds its
/// files; a shell that hangs on a pipe of this process deletes it when this process is gone, however it ended.
/// </summary>
internal sealed class ClusterDirectory : IAsyncDisposable
{
    // $0 is the directory. Nodes that are being killed may write for a moment longer.
    private const string Guard = "read _; while [ -e \"$0\" ]; do rm -rf -- \"$0\"; sleep 0.05; done";

    private readonly TemporaryDirectory _directory = new();
    private readonly ChildProcess? _guard;

    /// <summary>Makes the directory.</summary>
    /// <exception cref="BrokerException">The guard cannot be started.</exception>
    public ClusterDirectory()
    {
        if (!OperatingSystem.IsWindows())
            _guard = ChildProcess.StartWatching(new BrokerCommand("/bin/sh", ["-c", Guard, _directory.Path]));
    }

    /// <summary>The path.</summary>
    public string Path => _directory.Path;

    /// <summary>The directory of a node.</summary>
    /// <param name="name">The node's name.</param>
    public string OfNode(string name) => Directory.CreateDirectory(System.IO.Path.Combine(Path, name)).FullName;

    /// <summary>Deletes it.</summary>
    public async ValueTask DisposeAsync()
    {
        await _directory.DisposeAsync();
        if (_guard is not null)
            await _guard.DisposeAsync();
    }
}
