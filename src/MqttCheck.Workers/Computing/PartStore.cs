using System.Diagnostics;
using MqttCheck.Shards;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Workers.Computing;

/// <summary>
/// The parts of live runs that this worker makes. They are not held in a grain, because a grain may end with another
/// worker that knew its place. A part ends if its coordinator has not asked for it for a while, because nobody would
/// take its log.
/// </summary>
internal sealed class PartStore : IDisposable
{
    private static readonly TimeSpan s_longestSilence = TimeSpan.FromSeconds(15),
        s_watch = TimeSpan.FromSeconds(1);

    private readonly JobCatalogue _catalogue;
    private readonly IGrainFactory _grains;
    private readonly Dictionary<string, Held> _parts = new(StringComparer.Ordinal);
    private readonly Timer _watch;

    /// <summary>A worker without parts.</summary>
    /// <param name="catalogue">The kinds of live run.</param>
    /// <param name="grains">Calls the other workers.</param>
    public PartStore(JobCatalogue catalogue, IGrainFactory grains)
    {
        (_catalogue, _grains) = (catalogue, grains);
        _watch = new Timer(_ => EndSilent(), null, s_watch, s_watch);
    }

    private sealed record Held(IRunPart Part, PartPost Post)
    {
        public long AskedAt { get; set; } = Stopwatch.GetTimestamp();
    }

    /// <summary>Prepares a part.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="kind">The kind of run.</param>
    /// <param name="description">The description of the part.</param>
    /// <param name="parts">How many parts the run has.</param>
    /// <exception cref="InputException">The description is malformed.</exception>
    public void Prepare(string key, string kind, byte[] description, int parts)
    {
        var post = new PartPost(_grains, key, parts);
        var part = _catalogue.StartPart(kind, description, post.Send);
        lock (_parts)
            _parts.Add(key, new(part, post));
    }

    /// <summary>A part by its key; null where there is none.</summary>
    /// <param name="key">The key.</param>
    /// <param name="isAsked">Whether its coordinator asks for it.</param>
    public IRunPart? Find(string key, bool isAsked)
    {
        lock (_parts)
        {
            if (!_parts.TryGetValue(key, out var held))
                return null;
            if (isAsked)
                held.AskedAt = Stopwatch.GetTimestamp();
            return held.Part;
        }
    }

    /// <summary>Forgets a part, which ends at once if it has not ended.</summary>
    public void Forget(string key)
    {
        lock (_parts)
        {
            if (_parts.Remove(key, out var held))
                End(held);
        }
    }

    /// <summary>Ends all parts.</summary>
    public void Dispose()
    {
        _watch.Dispose();
        lock (_parts)
        {
            foreach (var held in _parts.Values)
                End(held);
            _parts.Clear();
        }
    }

    private static void End(Held held)
    {
        held.Part.Dispose();
        held.Post.Close();
    }

    private void EndSilent()
    {
        lock (_parts)
        {
            foreach (var (key, held) in _parts.ToArray())
                if (Stopwatch.GetElapsedTime(held.AskedAt) > s_longestSilence)
                    Forget(key);
        }
    }
}
