using System.Collections.Concurrent;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Runs a short fleet against a broker in this process, before the first measured fleet of a client. The runtime
/// compiles methods at their first call, and recompiles those that are called often. Without a rehearsal it does so in
/// the first second of the measurement, on a processor that the broker needs. A third to a half of the late requests of
/// a short run are due to that second.
/// </summary>
internal static class Rehearsal
{
    private const int Clients = 20;

    // Measurements chose this duration: a shorter one leaves methods that are recompiled during the run, and a longer
    // one gains nothing.
    private static readonly TimeSpan Duration = TimeSpan.FromMilliseconds(400);

    private static readonly UsageProfile Profile = new()
    {
        Name = "rehearsal",
        WaitMilliseconds = new ExponentialLaw(3),
        Weights = new(Connect: 1, Disconnect: 1, Publish: 5, Subscribe: 3, Unsubscribe: 2),
    };

    private static readonly ConcurrentDictionary<string, Lazy<bool>> Held = new();

    /// <summary>
    /// Holds the rehearsal of a client, if none was held in this process. Concurrent callers wait for its end.
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
            // There is no free port or descriptor. The measured run will report that, so a rehearsal need not fail.
            return false;
        }
        finally
        {
            broker?.DisposeAsync().AsTask().GetAwaiter().GetResult();
        }
        // Garbage of the rehearsal is collected now, so that no collection interrupts the measured run.
        GC.Collect();
        return true;
    }
}
