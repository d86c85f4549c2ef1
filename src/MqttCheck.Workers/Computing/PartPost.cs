using System.Globalization;

namespace MqttCheck.Workers.Computing;

/// <summary>
/// Carries the notes of a part to the others. There is one call at a time for each, with all notes made meanwhile, so
/// that notes arrive in order.
/// </summary>
/// <param name="grains">Calls the others.</param>
/// <param name="key">The key of the part, as <see cref="KeyOf"/> makes it.</param>
/// <param name="parts">How many parts there are.</param>
internal sealed class PartPost(IGrainFactory grains, string key, int parts)
{
    private readonly string _run = key[..key.LastIndexOf('/')];
    private readonly Queue[] _queues = [.. Enumerable.Range(0, parts).Select(_ => new Queue())];
    private volatile bool _isOver;

    private sealed class Queue
    {
        public MemoryStream Waiting { get; } = new();
        public bool IsUnderWay { get; set; }
    }

    /// <summary>The key of a part.</summary>
    /// <param name="run">The name of the run.</param>
    /// <param name="part">The number of the part.</param>
    public static string KeyOf(string run, int part) => string.Create(CultureInfo.InvariantCulture, $"{run}/{part}");

    /// <summary>Sends notes to a part. Safe from any thread.</summary>
    public void Send(int part, byte[] notes)
    {
        var queue = _queues[part];
        lock (queue)
        {
            queue.Waiting.Write(notes);
            if (queue.IsUnderWay || _isOver)
                return;
            queue.IsUnderWay = true;
        }
        _ = Task.Run(() => DeliverAsync(part, queue));
    }

    /// <summary>Stops sending.</summary>
    public void Close() => _isOver = true;

    private async Task DeliverAsync(int part, Queue queue)
    {
        var grain = grains.GetGrain<IPartPostGrain>(KeyOf(_run, part));
        while (true)
        {
            byte[] notes;
            lock (queue)
            {
                notes = queue.Waiting.ToArray();
                queue.Waiting.SetLength(0);
                if (notes.Length == 0 || _isOver)
                {
                    queue.IsUnderWay = false;
                    return;
                }
            }
            try
            {
                await grain.ReceiveAsync(notes);
            }
            catch (Exception)
            {
                // The worker of the part is lost. The coordinator finds that out as well, and ends the run.
                _isOver = true;
            }
        }
    }
}
