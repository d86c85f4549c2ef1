using MqttCheck.Shards;

namespace MqttCheck.Workers.Computing;

/// <summary>
/// The announced jobs of a worker, and their parts by content. Both are kept up to a bound. The least recently used
/// ones are removed first, and requested again if needed.
/// </summary>
internal sealed class JobStore(JobCatalogue catalogue)
{
    private const int MostJobs = 32;
    private const long MostBytes = 512L << 20;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, (byte[] Content, long Used)> _parts = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Known> _jobs = new(StringComparer.Ordinal);
    private long _clock;

    private sealed record Known(string Kind, string[] Parts)
    {
        public IReplicationJob? Job { get; set; }
        public long Used { get; set; }
    }

    /// <summary>Notes a job.</summary>
    /// <returns>The names of the parts that are missing.</returns>
    public string[] Offer(string kind, string job, string[] parts)
    {
        lock (_gate)
        {
            if (!_jobs.ContainsKey(job))
                _jobs.Add(job, new(kind, parts));
            _jobs[job].Used = ++_clock;
            foreach (var stale in _jobs.OrderByDescending(known => known.Value.Used).Skip(MostJobs).ToArray())
                _jobs.Remove(stale.Key);
            return _jobs[job].Job is null ? [.. parts.Where(part => !_parts.ContainsKey(part))] : [];
        }
    }

    /// <summary>Keeps a part.</summary>
    /// <returns>Why it is refused; null if it is not.</returns>
    public string? Supply(string name, byte[] content)
    {
        var hash = JobDescription.HashOf(content);
        if (hash != name)
            return $"the content named {name} has the hash {hash}; allowed: the content that its name says";
        lock (_gate)
        {
            _parts[name] = (content, ++_clock);
            var bytes = 0L;
            foreach (var (part, kept) in _parts.OrderByDescending(one => one.Value.Used).ToArray())
                if ((bytes += kept.Content.Length) > MostBytes && part != name)
                    _parts.Remove(part);
        }
        return null;
    }

    /// <summary>The job of a name; null where it, or a part of it, is not known.</summary>
    /// <exception cref="InputException">Its description is malformed.</exception>
    public IReplicationJob? Find(string job)
    {
        lock (_gate)
        {
            if (!_jobs.TryGetValue(job, out var known))
                return null;
            known.Used = ++_clock;
            if (known.Job is not null)
                return known.Job;
            var parts = new List<byte[]>();
            foreach (var part in known.Parts)
            {
                if (!_parts.TryGetValue(part, out var kept))
                    return null;
                _parts[part] = kept with { Used = ++_clock };
                parts.Add(kept.Content);
            }
            return known.Job = catalogue.Read(known.Kind, parts);
        }
    }
}
