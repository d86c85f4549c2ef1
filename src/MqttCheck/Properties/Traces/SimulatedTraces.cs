using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.ExceptionServices;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Profiles;
using MqttCheck.Simulation;

namespace MqttCheck.Properties.Traces;

/// <summary>
/// Traces of simulated fleets: the counted sequences of each client, one replication after the other.
/// </summary>
public sealed class SimulatedTraces
{
    private const int LargestTrace = 100_000;

    // Enough work for all threads between two looks.
    private const int Batch = 32;

    private readonly LatencyModel _model;
    private readonly SimulatedFleet _setup;

    // Simulators to be used again, as many as there were threads at once.
    private readonly ConcurrentBag<(ObservedFleet<Collector> Fleet, Collector Collector)> _idle = [];

    /// <summary>A source of traces.</summary>
    /// <param name="model">The latency model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">How many clients share the broker, 1 or more.</param>
    /// <param name="sequencesPerTrace">
    /// How many sequences of a client make its trace, 1 or more; resets between them are simulated and are not part of
    /// it.
    /// </param>
    /// <param name="seed">The seed.</param>
    /// <param name="timerGridMilliseconds">The grid on which waits end; 0 for none.</param>
    /// <exception cref="InputException">A value is not allowed.</exception>
    public SimulatedTraces(
        LatencyModel model,
        Population population,
        int clients,
        int sequencesPerTrace,
        ulong seed,
        double timerGridMilliseconds = 0
    )
    {
        _model = model;
        _setup = new()
        {
            Population = population,
            Clients = clients,
            Sequences = sequencesPerTrace,
            Seed = seed,
            TimerGridMilliseconds = timerGridMilliseconds,
        };
        InputException.ThrowIfAny(_setup.Validate());
    }

    /// <summary>How many clients share the broker.</summary>
    public int Clients => _setup.Clients;

    /// <summary>
    /// How many sequences a trace must have for a property: for its messages, or (about) for its time; 1 when it has no
    /// bound.
    /// </summary>
    /// <param name="property">The property.</param>
    /// <param name="population">Whose traces.</param>
    /// <exception cref="InputException">The property looks farther than a trace may be long.</exception>
    public static int SequencesFor(TraceProperty property, Population population)
    {
        if (property.Formula is not { } formula)
            return 1;
        var length = population.Groups.Min(group => group.Profile.SequenceLength);
        var wait = population.Groups.Min(group => group.Profile.WaitMilliseconds.Mean);
        var byMessages = Math.Ceiling((double)(formula.MessagesNeeded ?? 1) / length);
        var byTime =
            formula.MillisecondsNeeded > 0
                ? Math.Ceiling(formula.MillisecondsNeeded / Math.Max(wait * length, 1e-3)) + 1
                : 1;
        var needed = Math.Max(byMessages, byTime);
        return needed * length <= LargestTrace
            ? (int)needed
            : throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"property '{property}' looks at about {needed * length} messages; allowed: at most {LargestTrace}"
                )
            );
    }

    /// <summary>Simulates one replication.</summary>
    /// <param name="replication">Its number, from 0.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <returns>One trace for each client.</returns>
    public TraceUnit Replication(int replication, CancellationToken cancellation = default)
    {
        var collector = new Collector(_setup.Clients);
        FleetSimulation.Observe(_model, _setup, replication, ref collector, cancellation);
        return new(replication, collector.Traces);
    }

    // The same, but the traces are dropped when the property is evaluated, and all memory serves again.
    private double[] Values(TraceProperty property, int replication, out int cutShort, CancellationToken cancellation)
    {
        if (!_idle.TryTake(out var simulator))
            simulator = (FleetSimulation.Observed<Collector>(_model, _setup), new(_setup.Clients));
        foreach (var trace in simulator.Collector.Traces)
            trace.Clear();
        simulator.Fleet.Run(replication, ref simulator.Collector, cancellation);
        var values = new TraceUnit(replication, simulator.Collector.Traces).Values(property, out cutShort);
        _idle.Add(simulator);
        return values;
    }

    /// <summary>
    /// The values of a property on all clients of each replication, simulated in parallel and yielded in order, without
    /// end.
    /// </summary>
    internal IEnumerable<(double[] Values, int CutShort)> Values(
        TraceProperty property,
        int threads,
        CancellationToken cancellation
    )
    {
        var batch = new (double[], int)[Batch];
        for (var first = 0; ; first += Batch)
        {
            var start = first;
            try
            {
                Parallel.For(
                    0,
                    Batch,
                    new ParallelOptions { MaxDegreeOfParallelism = threads, CancellationToken = cancellation },
                    i => batch[i] = (Values(property, start + i, out var cutShort, cancellation), cutShort)
                );
            }
            catch (AggregateException failure)
            {
                // A replication that does not end is the user's error, not that of a thread.
                ExceptionDispatchInfo.Throw(failure.InnerExceptions[0]);
            }
            foreach (var unit in batch)
                yield return unit;
        }
    }

    private readonly struct Collector : IFleetObserver
    {
        private readonly (int Active, int Subscribers)[] _open;

        public Collector(int clients)
        {
            _open = new (int, int)[clients];
            Traces = new List<TraceMessage>[clients];
            for (var i = 0; i < clients; i++)
                Traces[i] = [];
        }

        public List<TraceMessage>[] Traces { get; }

        public void SetUp(int client, in ClientAction action, double begunMilliseconds, double nowMilliseconds) { }

        public void Started(
            int client,
            int sequence,
            in ClientAction action,
            in ExchangeFeatures features,
            double nowMilliseconds
        ) => _open[client] = (features.Active, features.Subscribers);

        public void Ended(
            int client,
            int sequence,
            in ClientAction action,
            double startedMilliseconds,
            double nowMilliseconds
        )
        {
            if (action.Phase != ExchangePhase.Counted)
                return;
            Traces[client]
                .Add(
                    new()
                    {
                        Kind = action.Kind,
                        SentMilliseconds = startedMilliseconds,
                        EndMilliseconds = nowMilliseconds,
                        LatencyMilliseconds = nowMilliseconds - startedMilliseconds,
                        AcknowledgementMilliseconds = double.NaN,
                        Active = _open[client].Active,
                        Subscribers = _open[client].Subscribers,
                        PayloadBytes = action.PayloadBytes,
                    }
                );
        }
    }
}
