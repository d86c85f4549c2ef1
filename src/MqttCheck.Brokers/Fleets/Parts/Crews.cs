using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>Divides a run among the workers that are there.</summary>
internal static class Crews
{
    private const int MostAttempts = 10;

    /// <summary>Refuses a run that the workers cannot or must not make, before any of them connects.</summary>
    /// <param name="brokers">The broker, or all of several.</param>
    /// <param name="places">The addresses of the workers.</param>
    /// <exception cref="InputException">The broker cannot be loaded by these workers.</exception>
    public static void Require(IEnumerable<WireEndpoint> brokers, IReadOnlyList<IPEndPoint> places)
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

    /// <summary>
    /// Prepares the parts of a run. If a worker is lost before the run begins, the others take its clients.
    /// </summary>
    /// <param name="workers">The workers.</param>
    /// <param name="brokers">The broker, or all of several.</param>
    /// <param name="kind">The kind of run.</param>
    /// <param name="most">The most parts: a worker without a client would have nothing to do.</param>
    /// <param name="describe">Describes a part, of a number of parts.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="InputException">The broker cannot be loaded by these workers.</exception>
    /// <exception cref="IOException">No worker is there any more.</exception>
    public static async Task<IPartCrew> PrepareAsync(
        IPartRunner workers,
        IReadOnlyList<WireEndpoint> brokers,
        string kind,
        int most,
        Func<int, int, byte[]> describe,
        CancellationToken cancellation
    )
    {
        for (var attempt = 1; ; attempt++)
        {
            var places = workers.Workers;
            if (places.Count == 0)
                throw new IOException(
                    "no worker is left; allowed: at least one. Start one with 'mqttcheck worker', and repeat the "
                        + "command."
                );
            Require(brokers, places);
            var parts = Math.Min(places.Count, most);
            try
            {
                return await workers.PrepareAsync(
                    kind,
                    [.. Enumerable.Range(0, parts).Select(part => describe(part, parts))],
                    cancellation
                );
            }
            catch (PartLostException) when (attempt < MostAttempts) { }
        }
    }
}
