using System.Security.Cryptography;
using System.Text;

namespace MqttCheck.Shards;

/// <summary>
/// The information with which another process can compute the replications of a job. Its parts are named by their
/// content, so that a model that several jobs share travels once.
/// </summary>
public sealed class JobDescription
{
    /// <summary>A description.</summary>
    /// <param name="kind">The kind of job, which <see cref="JobCatalogue"/> knows.</param>
    /// <param name="parts">Its parts, in the order in which the kind reads them.</param>
    public JobDescription(string kind, params IReadOnlyList<byte[]> parts)
    {
        ArgumentException.ThrowIfNullOrEmpty(kind);
        (Kind, Parts) = (kind, parts);
        Hashes = [.. parts.Select(part => HashOf(part))];
        Hash = HashOf(Encoding.UTF8.GetBytes(string.Join('\n', Hashes.Prepend(kind))));
    }

    /// <summary>The kind of job.</summary>
    public string Kind { get; }

    /// <summary>Its parts.</summary>
    public IReadOnlyList<byte[]> Parts { get; }

    /// <summary>The hash of each part.</summary>
    public IReadOnlyList<string> Hashes { get; }

    /// <summary>The name of the job: the hash of its kind and its parts.</summary>
    public string Hash { get; }

    /// <summary>SHA-256 of some content, in lower-case hexadecimal.</summary>
    /// <param name="content">The content.</param>
    public static string HashOf(ReadOnlySpan<byte> content) => Convert.ToHexStringLower(SHA256.HashData(content));
}
