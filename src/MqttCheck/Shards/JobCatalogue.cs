using System.Reflection;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Shards;

/// <summary>
/// The kinds of job that a worker can compute, and the kinds of live run of which it can make a part, each with what
/// reads its description.
/// </summary>
internal sealed class JobCatalogue
{
    private readonly Dictionary<string, Func<IReadOnlyList<byte[]>, IReplicationJob>> _kinds = new(
        StringComparer.Ordinal
    );

    private readonly Dictionary<string, PartStart> _parts = new(StringComparer.Ordinal);

    /// <summary>The code that reads and computes the kinds.</summary>
    public IEnumerable<Module> Modules =>
        _kinds.Values.Select(read => read.Method.Module).Concat(_parts.Values.Select(start => start.Method.Module));

    /// <summary>Adds a kind.</summary>
    /// <param name="kind">Its name, as in <see cref="JobDescription.Kind"/>.</param>
    /// <param name="read">Makes the job from the parts of its description.</param>
    /// <exception cref="ArgumentException">There is a kind of this name.</exception>
    public JobCatalogue Add(string kind, Func<IReadOnlyList<byte[]>, IReplicationJob> read)
    {
        _kinds.Add(kind, read);
        return this;
    }

    /// <summary>Adds a kind of live run.</summary>
    /// <param name="kind">Its name.</param>
    /// <param name="start">Prepares a part from its description.</param>
    /// <exception cref="ArgumentException">There is a kind of this name.</exception>
    public JobCatalogue AddPart(string kind, PartStart start)
    {
        _parts.Add(kind, start);
        return this;
    }

    /// <summary>Prepares a part of a live run.</summary>
    /// <param name="kind">The kind of run.</param>
    /// <param name="description">The description of the part.</param>
    /// <param name="send">Sends notes to another part.</param>
    /// <exception cref="InputException">The kind is not known, or the description is malformed.</exception>
    public IRunPart StartPart(string kind, byte[] description, Action<int, byte[]> send) =>
        Known(_parts, "live run", kind)(description, send);

    /// <summary>Makes the job of a description.</summary>
    /// <param name="kind">The kind of job.</param>
    /// <param name="parts">The parts of the description.</param>
    /// <exception cref="InputException">The kind is not known, or the description is malformed.</exception>
    public IReplicationJob Read(string kind, IReadOnlyList<byte[]> parts) => Known(_kinds, "job", kind)(parts);

    private static T Known<T>(Dictionary<string, T> kinds, string what, string kind) =>
        kinds.TryGetValue(kind, out var known)
            ? known
            : throw new InputException(
                $"kind of {what} is '{kind}'; allowed: {string.Join(", ", kinds.Keys.Order(StringComparer.Ordinal))}"
            );
}
