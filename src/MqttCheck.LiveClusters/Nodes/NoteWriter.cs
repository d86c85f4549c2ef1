using System.Text;
using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>
/// Appends notes to a file, each in one call to the system: a process that is killed loses no whole line.
/// </summary>
internal sealed class NoteWriter : IDisposable
{
    private readonly FileStream _file;

    /// <summary>Opens the file; a line that an earlier process has torn is ended first.</summary>
    /// <param name="path">Its path.</param>
    public NoteWriter(string path)
    {
        _file = new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
        _file.Write("\n"u8);
    }

    /// <summary>Appends a note.</summary>
    public void Write(in ClusterNote note, long nanoseconds) =>
        _file.Write(Encoding.ASCII.GetBytes(NodeNote.Write(note, nanoseconds) + "\n"));

    public void Dispose() => _file.Dispose();
}
