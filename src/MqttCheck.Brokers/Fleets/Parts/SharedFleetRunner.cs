using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>
/// Makes runs with several workers: client i is at worker i mod n, with the choices that it would make in one process.
/// All begin at one time. A run that loses a worker ends, and is invalid; the next one is made with those that are
/// left.
/// </summary>
/// <param name="workers">The workers.</param>
public sealed class SharedFleetRunner(IPartRunner workers) : IFleetRunner
{
    private const int MostAttempts = 10;

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
        return Task.Run(() => RunAsync(setup, sink, progress, cancellation, abort)).GetAwaiter().GetResult();
    }

    /// <summary>Refuses, before any worker connects, what they could not do or must not do.</summary>
    /// <param name="brokers">The broker, or all of several.</param>
    /// <param name="places">Where the workers are.</param>
    /// <exception cref="InputException">The broker cannot be loaded by these workers.</exception>
    internal static void Require(IEnumerable<WireEndpoint> brokers, IReadOnlyList<IPEndPoint> places)
    {
        foreach (var endpoint in brokers)
        {
            if (endpoint.Tls is not null || endpoint.WebSocket is not null)
                throw new InputException(
                    $"--workers: the broker at {endpoint.Address} is reached by TLS or WebSocket; allowed with "
                        + "workers: mqtt://HOST:PORT."
                );
            if (
                IPAddress.IsLoopback(endpoint.Address.Address)
                && places.FirstOrDefault(place => !IPAddress.IsLoopback(place.Address)) is { } elsewhere
            )
                throw new InputException(
                    $"--workers: the broker at {endpoint.Address} is reached from this machine only, and a worker is "
                        + $"at {elsewhere.Address}; allowed: a broker at an address that all workers reach."
                );
        }
    }

    private async Task<FleetRunResult> RunAsync(
        FleetSetup setup,
        IExchangeSink sink,
        IProgress<FleetProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    )
    {
        try
        {
            await using var crew = await PrepareAsync(setup, cancellation);
            return await new SharedRun(setup, crew, sink, progress).RunAsync(cancellation, abort);
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            return SharedRun.Nothing(setup);
        }
    }

    // A worker that is lost before the run begins spoils nothing: the others have its clients.
    private async Task<IPartCrew> PrepareAsync(FleetSetup setup, CancellationToken cancellation)
    {
        for (var attempt = 1; ; attempt++)
        {
            var places = workers.Workers;
            if (places.Count == 0)
                throw new IOException(
                    "no worker is left; allowed: at least one. Start one with 'mqttcheck worker', and repeat the "
                        + "command."
                );
            Require(setup.Nodes.Prepend(setup.Endpoint), places);
            // A worker without a client would have nothing to do.
            var parts = Math.Min(places.Count, setup.Clients);
            try
            {
                return await workers.PrepareAsync(
                    FleetPart.Kind,
                    [.. Enumerable.Range(0, parts).Select(part => FleetPartText.Write(setup, new(part, parts)))],
                    cancellation
                );
            }
            catch (PartLostException) when (attempt < MostAttempts) { }
        }
    }
}
