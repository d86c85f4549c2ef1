using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// The directory of a cluster, with one for each node. It outlives the nodes, so that one that starts again finds its
/// files. A shell that hangs on a pipe of this process unmounts the disks of nodes and deletes the directory when this
/// process is gone, however it ended.
/// </summary>
internal sealed class ClusterDirectory : IAsyncDisposable
{
    // $0 is the directory. Nodes that are being killed may write, or keep a disk in use, for a moment longer. A disk
    // that is still in use after that is detached, and goes when the last program leaves it.
    private const string Guard =
        "read _; n=0; while [ -e \"$0\" ]; do for d in \"$0\"/*/; do if [ $n -lt 100 ]; then umount -- \"$d\"; "
        + "else umount -l -- \"$d\"; fi 2>/dev/null; done; rm -rf -- \"$0\" 2>/dev/null; n=$((n+1)); "
        + "sleep 0.05; done";

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

    /// <summary>The image of a node's disk.</summary>
    /// <param name="name">The node's name, which has no dot.</param>
    public string ImageOfNode(string name) => System.IO.Path.Combine(Path, $"{name}.ext4");

    /// <summary>Deletes it.</summary>
    public async ValueTask DisposeAsync()
    {
        await _directory.DisposeAsync();
        if (_guard is not null)
            await _guard.DisposeAsync();
    }
}
