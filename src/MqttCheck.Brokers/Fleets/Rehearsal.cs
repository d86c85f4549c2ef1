using System.Collections.Concurrent;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// A short fleet against a broker in this process, before the first measured fleet of the process with a client. The
/// runtime compiles what is called first and compiles again what is called often; without a rehearsal it does so in the
/// first second of the measurement, on a processor that the broker needs, and a third to a half of the late requests of
/// a short run are those of that second.
/// </summary>
internal static class Rehearsal
{
    private const int Clients = 20;

    // Measured: shorter leaves methods that are compiled again during the run, longer changes nothing.
    private static readonly TimeSpan Duration = TimeSpan.FromMilliseconds(400);

    private static readonly UsageProfile Profile = new()
    {
        Name = "rehearsal",
        WaitMilliseconds = new ExponentialLaw(3),
        Weights = new(Connect: 1, Disconnect: 1, Publish: 5, Subscribe: 3, Unsubscribe: 2),
    };

    private static readonly ConcurrentDictionary<string, Lazy<bool>> Held = new();

    /// <summary>
    /// Holds the rehearsal of a client, if none was held in this process. Others that come while it lasts wait for its
    /// end.
    /// </summary>
    /// <param name="client">The client.</param>
    /// <returns>Whether it could be held.</returns>
    public static bool Once(ClientKind client) =>
        Held.GetOrAdd(client.Name, _ => new Lazy<bool>(() => Hold(client))).Value;

    /// <summary>Holds a rehearsal.</summary>
    /// <param name="client">The client.</param>
    /// <returns>Whether it could be held.</returns>
    internal static bool Hold(ClientKind client)
    {
        EmbeddedBroker? broker = null;
        try
        {
            broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
            var population = Population.Of(Profile);
            var setup = FleetSetup.For(broker, population, Clients, FleetSetup.NewPrefix()) with
            {
                Duration = Duration,
            };
            new FleetRun(setup, new NoLog(), createWire: client.CreateWire).Run();
        }
        catch (Exception exception) when (exception is BrokerException or WireException or InputException)
        {
            // No port, no descriptor: the measured run meets the same and says so. Without it a rehearsal is not worth
            // a failure.
            return false;
        }
        finally
        {
            broker?.DisposeAsync().AsTask().GetAwaiter().GetResult();
        }
        // What it left behind is not collected in the measured run.
        GC.Collect();
        return true;
    }
}
