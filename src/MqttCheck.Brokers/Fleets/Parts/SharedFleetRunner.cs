using System.Net;
using MqttCheck.Logs;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>
/// Makes runs with several workers: client i is at worker i mod n, with the choices that it would make in one process.
/// All begin at one time. A run that loses a worker ends, and is invalid; the next one is made with those that are left.
/// </summary>
/// <param name="workers">The workers.</param>
public sealed class SharedFleetRunner(IPartRunner workers) : IFleetRunner
{
    /// <inheritdoc/>
    /// <exception cref="IOException">No worker is there any more.</exception>
    public FleetRunResult Run(
        FleetSetup setup,
        IExchangeSink sink,
        IProgress<FleetProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    )
    {
        InputException.ThrowIfAny(setup.Validate());
        var places = workers.Workers;
        Require(setup, places);
        // A worker without a client would have nothing to do.
        var parts = Math.Min(places.Count, setup.Clients);
        var descriptions = Enumerable
            .Range(0, parts)
            .Select(part => FleetPartText.Write(setup, new(part, parts)))
            .ToArray();
        return Task.Run(async () =>
            {
                try
                {
                    await using var crew = await workers.PrepareAsync(FleetPart.Kind, descriptions, cancellation);
                    return await new SharedRun(setup, crew, parts, sink, progress).RunAsync(cancellation, abort);
                }
                catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
                {
                    return SharedRun.Nothing(setup);
                }
            })
            .GetAwaiter()
            .GetResult();
    }

    /// <summary>Refuses, before any worker connects, what they could not do or must not do.</summary>
    /// <exception cref="InputException">The broker cannot be loaded by these workers.</exception>
    internal static void Require(FleetSetup setup, IReadOnlyList<IPEndPoint> places)
    {
        foreach (var endpoint in setup.Nodes.Prepend(setup.Endpoint))
        {
            if (endpoint.Tls is not null || endpoint.WebSocket is not null)
                throw new InputException(
                    $"--workers: the broker at {endpoint.Address} is reached by TLS or WebSocket; allowed with workers: "
                        + "mqtt://HOST:PORT."
                );
            if (
                IPAddress.IsLoopback(endpoint.Address.Address)
                && places.FirstOrDefault(place => !IPAddress.IsLoopback(place.Address)) is { } elsewhere
            )
                throw new InputException(
                    $"--workers: the broker at {endpoint.Address} is reached from this machine only, and a worker is at "
                        + $"{elsewhere.Address}; allowed: a broker at an address that all workers reach."
                );
        }
    }
}
