using System.Reflection;

namespace MqttCheck.Shards;

/// <summary>The kinds of job that a worker can compute, each with what reads its description.</summary>
public sealed class JobCatalogue
{
    private readonly Dictionary<string, Func<IReadOnlyList<byte[]>, IReplicationJob>> _kinds = new(
        StringComparer.Ordinal
    );

    /// <summary>The names of the kinds, sorted.</summary>
    public IEnumerable<string> Kinds => _kinds.Keys.Order(StringComparer.Ordinal);

    /// <summary>The code that reads and computes the kinds.</summary>
    public IEnumerable<Module> Modules => _kinds.Values.Select(read => read.Method.Module);

    /// <summary>Adds a kind.</summary>
    /// <param name="kind">Its name, as in <see cref="JobDescription.Kind"/>.</param>
    /// <param name="read">Makes the job from the parts of its description.</param>
    /// <exception cref="ArgumentException">There is a kind of this name.</exception>
    public JobCatalogue Add(string kind, Func<IReadOnlyList<byte[]>, IReplicationJob> read)
    {
        _kinds.Add(kind, read);
        return this;
    }

    /// <summary>Makes the job of a description.</summary>
    /// <param name="kind">The kind of job.</param>
    /// <param name="parts">The parts of the description.</param>
    /// <exception cref="InputException">The kind is not known, or the description is malformed.</exception>
    public IReplicationJob Read(string kind, IReadOnlyList<byte[]> parts) =>
        _kinds.TryGetValue(kind, out var read)
            ? read(parts)
            : throw new InputException($"kind of job is '{kind}'; allowed: {string.Join(", ", Kinds)}");
}
