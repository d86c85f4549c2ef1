using MqttCheck.Latency;

namespace MqttCheck.Simulation;

/// <summary>
/// A simulator whose replications are watched, one after the other, in the same memory. Not thread-safe: one belongs to
/// one thread at a time. Made by <see cref="FleetSimulation.Observed{TObserver}"/>.
/// </summary>
/// <typeparam name="TObserver">The struct type of the observer, for which the simulator is compiled.</typeparam>
internal abstract class ObservedFleet<TObserver>
    where TObserver : struct, IFleetObserver
{
    private protected ObservedFleet() { }

    /// <summary>Simulates one replication and lets an observer watch its trace.</summary>
    /// <param name="replication">Number of the replication, the same as in a run of many.</param>
    /// <param name="observer">Watches; it holds what it saw afterwards.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <returns>The counted sequences of this one replication.</returns>
    /// <exception cref="InputException">The replication did not end within the bound.</exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public abstract FleetSample Run(int replication, ref TObserver observer, CancellationToken cancellation = default);

    /// <summary>Makes one for the process of a latency model.</summary>
    internal sealed class Factory(SimulatedFleet setup, bool detailed)
        : ILatencyProcessConsumer<ObservedFleet<TObserver>>
    {
        public ObservedFleet<TObserver> Run<TProcess>(Func<TProcess> create)
            where TProcess : struct, ILatencyProcess => new Of<TProcess>(setup, create(), detailed);
    }

    private sealed class Of<TProcess>(SimulatedFleet setup, TProcess process, bool detailed) : ObservedFleet<TObserver>
        where TProcess : struct, ILatencyProcess
    {
        private readonly SimulatedFleet _setup = setup;
        private readonly FleetSimulator<TProcess, TObserver> _simulator = new(setup, process);

        public override FleetSample Run(
            int replication,
            ref TObserver observer,
            CancellationToken cancellation = default
        )
        {
            var sample = new FleetSample(1, _setup.Clients, _setup.Sequences, detailed);
            var totals = default(FleetTotals);
            _simulator.Run(replication, 0, sample, ref totals, ref observer, cancellation);
            sample.Add(totals);
            return sample;
        }
    }
}
