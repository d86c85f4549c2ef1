using System.Net;

namespace MqttCheck.Shards.Parts;

/// <summary>Has the parts of a live run made by workers.</summary>
internal interface IPartRunner
{
    /// <summary>The addresses of the workers that may be used now.</summary>
    IReadOnlyList<IPEndPoint> Workers { get; }

    /// <summary>Has a part prepared on each of the first workers.</summary>
    /// <param name="kind">The kind of part, which <see cref="JobCatalogue"/> knows.</param>
    /// <param name="descriptions">The parts, at least one and at most as many as there are workers.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="InputException">A worker refuses the description.</exception>
    /// <exception cref="IOException">No worker is there any more, or one is lost.</exception>
    Task<IPartCrew> PrepareAsync(string kind, IReadOnlyList<byte[]> descriptions, CancellationToken cancellation);
}
