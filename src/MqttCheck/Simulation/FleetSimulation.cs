using MqttCheck.Latency;
using MqttCheck.Shards;

namespace MqttCheck.Simulation;

/// <summary>
/// Simulates fleets of client models against a latency model, in virtual time. Each client draws from its own stream
/// (seed, replication, client) in the order wait, kind, topic, size, set-up of the connection, latency; so results
/// depend on neither the number of threads nor on each other.
/// </summary>
internal static class FleetSimulation
{
    /// <summary>Simulates independent replications of a setup.</summary>
    /// <param name="model">Who answers a message, after what time.</param>
    /// <param name="setup">The simulated fleet.</param>
    /// <param name="replications">How many replications, 1 or more.</param>
    /// <param name="threads">How many threads share the work, 1 or more; the result is the same for any number.</param>
    /// <param name="detailed">Whether publications and issue order are kept besides the worst latencies.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">
    /// A value of the setup is not allowed, or a replication did not end within the bound.
    /// </exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static FleetSample Run(
        LatencyModel model,
        SimulatedFleet setup,
        int replications,
        int threads,
        bool detailed = false,
        CancellationToken cancellation = default
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(threads);
        return Run(model, setup, replications, new LocalShardRunner(threads), detailed, cancellation);
    }

    /// <summary>Simulates independent replications of a setup, wherever a runner does it.</summary>
    /// <param name="model">Who answers a message, after what time.</param>
    /// <param name="setup">The simulated fleet.</param>
    /// <param name="replications">How many replications, 1 or more.</param>
    /// <param name="runner">Who computes them; the result is the same for any.</param>
    /// <param name="detailed">Whether publications and issue order are kept besides the worst latencies.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">
    /// A value of the setup is not allowed, or a replication did not end within the bound.
    /// </exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static FleetSample Run(
        LatencyModel model,
        SimulatedFleet setup,
        int replications,
        IShardRunner runner,
        bool detailed = false,
        CancellationToken cancellation = default
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(replications);
        var sample = new FleetSample(replications, setup.Valid().Clients, setup.Sequences, detailed);
        var row = 0;
        foreach (var one in runner.Run(new FleetJob(model, setup, detailed), replications, cancellation))
            sample.Put(row++, one);
        return sample;
    }

    /// <summary>Simulates one replication on the calling thread and lets an observer watch its trace.</summary>
    /// <typeparam name="TObserver">The struct type of the observer, for which the simulator is compiled.</typeparam>
    /// <param name="model">Who answers a message, after what time.</param>
    /// <param name="setup">The simulated fleet.</param>
    /// <param name="replication">Number of the replication, the same as in a run of many.</param>
    /// <param name="observer">Watches; it holds what it saw afterwards.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <returns>The counted sequences of this one replication, with details.</returns>
    /// <exception cref="InputException">
    /// A value of the setup is not allowed, or the replication did not end within the bound.
    /// </exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static FleetSample Observe<TObserver>(
        LatencyModel model,
        SimulatedFleet setup,
        int replication,
        ref TObserver observer,
        CancellationToken cancellation = default
    )
        where TObserver : struct, IFleetObserver
    {
        return Observed<TObserver>(model, setup).Run(replication, ref observer, cancellation);
    }

    /// <summary>A simulator for any number of watched replications.</summary>
    /// <typeparam name="TObserver">The struct type of the observer.</typeparam>
    /// <param name="model">Who answers a message, after what time.</param>
    /// <param name="setup">The simulated fleet.</param>
    /// <exception cref="InputException">A value of the setup is not allowed.</exception>
    public static ObservedFleet<TObserver> Observed<TObserver>(LatencyModel model, SimulatedFleet setup)
        where TObserver : struct, IFleetObserver
    {
        return model.Use(setup.Valid().Clients, new ObservedFleet<TObserver>.Factory(setup, detailed: true));
    }

    /// <summary>A simulator for any number of replications that nobody watches.</summary>
    /// <param name="model">Who answers a message, after what time.</param>
    /// <param name="setup">The simulated fleet.</param>
    /// <param name="detailed">Whether publications and issue order are kept besides the worst latencies.</param>
    internal static ObservedFleet<NoObserver> Unobserved(LatencyModel model, SimulatedFleet setup, bool detailed) =>
        model.Use(setup.Valid().Clients, new ObservedFleet<NoObserver>.Factory(setup, detailed));
}
