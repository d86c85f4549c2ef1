using System.Runtime.ExceptionServices;
using MqttCheck.Latency;

namespace MqttCheck.Simulation;

/// <summary>
/// Simulates fleets of client models against a latency model, in virtual time. Each client draws from its own stream
/// (seed, replication, client) in the order wait, kind, topic, size, set-up of the connection, latency; so results
/// depend on neither the number of threads nor on each other.
/// </summary>
public static class FleetSimulation
{
    /// <summary>Simulates independent replications of a setup.</summary>
    /// <param name="model">Who answers a message, after what time.</param>
    /// <param name="setup">What is simulated.</param>
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
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(replications);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(threads);
        var sample = new FleetSample(replications, setup.Valid().Clients, setup.Sequences, detailed);
        return model.Use(setup.Clients, new Replications(setup, sample, Math.Min(threads, replications), cancellation));
    }

    /// <summary>Simulates one replication on the calling thread and lets an observer watch its trace.</summary>
    /// <typeparam name="TObserver">The struct type of the observer, for which the simulator is compiled.</typeparam>
    /// <param name="model">Who answers a message, after what time.</param>
    /// <param name="setup">What is simulated.</param>
    /// <param name="replication">Number of the replication: the same as in <see cref="Run"/>.</param>
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
    /// <param name="setup">What is simulated.</param>
    /// <exception cref="InputException">A value of the setup is not allowed.</exception>
    public static ObservedFleet<TObserver> Observed<TObserver>(LatencyModel model, SimulatedFleet setup)
        where TObserver : struct, IFleetObserver
    {
        return model.Use(setup.Valid().Clients, new ObservedFleet<TObserver>.Factory(setup));
    }

    private sealed class Replications(
        SimulatedFleet setup,
        FleetSample sample,
        int threads,
        CancellationToken cancellation
    ) : ILatencyProcessConsumer<FleetSample>
    {
        public FleetSample Run<TProcess>(Func<TProcess> create)
            where TProcess : struct, ILatencyProcess
        {
            var next = -1;
            var failure = default(Exception);
            var totals = new FleetTotals[threads];
            void Work(int thread)
            {
                try
                {
                    var simulator = new FleetSimulator<TProcess, NoObserver>(setup, create());
                    var observer = default(NoObserver);
                    var sums = default(FleetTotals);
                    for (
                        int replication;
                        (replication = Interlocked.Increment(ref next)) < sample.Replications
                            && Volatile.Read(ref failure) is null;

                    )
                        simulator.Run(replication, replication, sample, ref sums, ref observer, cancellation);
                    totals[thread] = sums;
                }
                catch (Exception exception)
                {
                    Interlocked.CompareExchange(ref failure, exception, null);
                }
            }

            var helpers = new Thread[threads - 1];
            for (var i = 0; i < helpers.Length; i++)
            {
                var number = i + 1;
                helpers[i] = new Thread(() => Work(number)) { IsBackground = true };
                helpers[i].Start();
            }
            Work(0);
            foreach (var helper in helpers)
                helper.Join();
            if (failure is not null)
                ExceptionDispatchInfo.Throw(failure);
            foreach (var sums in totals)
                sample.Add(sums);
            return sample;
        }
    }
}
