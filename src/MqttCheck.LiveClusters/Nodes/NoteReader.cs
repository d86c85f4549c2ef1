using System.Text;
using MqttCheck.Clusters.Events;

namespace MqttCheck.LiveClusters.Nodes;

/// <summary>Follows the note files of nodes, and hands on new lines soon after they were written.</summary>
internal sealed class NoteReader : IAsyncDisposable
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(10);

    private readonly Tail[] _tails;
    private readonly Action<ClusterEvent> _take;
    private readonly CancellationTokenSource _ending = new();
    private readonly Task _reading;

    /// <summary>Begins to read.</summary>
    /// <param name="paths">The files by the index of their node; those that do not exist yet are waited for.</param>
    /// <param name="take">Takes each note, on some thread.</param>
    public NoteReader(IReadOnlyList<string> paths, Action<ClusterEvent> take)
    {
        _take = take;
        _tails = [.. paths.Select((path, node) => new Tail(path, node))];
        _reading = Task.Run(ReadAsync);
    }

    /// <summary>Stops reading, after everything written so far was handed on.</summary>
    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync();
        await _reading;
        foreach (var tail in _tails)
            tail.Dispose();
        _ending.Dispose();
    }

    private async Task ReadAsync()
    {
        using var timer = new PeriodicTimer(s_interval);
        try
        {
            do ReadAll();
            while (await timer.WaitForNextTickAsync(_ending.Token));
        }
        catch (OperationCanceledException)
        {
            ReadAll();
        }
    }

    private void ReadAll()
    {
        foreach (var tail in _tails)
            tail.Read(_take);
    }

    private sealed class Tail(string path, int node) : IDisposable
    {
        private readonly byte[] _buffer = new byte[16 << 10];
        private FileStream? _file;
        private string _rest = "";

        public void Read(Action<ClusterEvent> take)
        {
            if (_file is null && !File.Exists(path))
                return;
            _file ??= new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            while (_file.Read(_buffer) is > 0 and var count)
            {
                var lines = (_rest + Encoding.ASCII.GetString(_buffer, 0, count)).Split('\n');
                _rest = lines[^1];
                foreach (var line in lines.AsSpan(..^1))
                    if (NodeNote.TryRead(line, node, out var note))
                        take(note);
            }
        }

        public void Dispose() => _file?.Dispose();
    }
}
