using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Profiles;
using MqttCheck.Shards;
using MqttCheck.Simulation;

namespace MqttCheck.Properties.Traces;

/// <summary>
/// Traces of simulated fleets: the counted sequences of each client, one replication after the other.
/// </summary>
internal sealed class SimulatedTraces
{
    private const int LargestTrace = 100_000;

    private readonly LatencyModel _model;
    private readonly SimulatedFleet _setup;

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
    /// <exception cref="InputException">A value is not allowed, or the load has stages.</exception>
    public SimulatedTraces(
        LatencyModel model,
        Population population,
        int clients,
        int sequencesPerTrace,
        ulong seed,
        double timerGridMilliseconds = 0
    )
    {
        if (population.Groups.FirstOrDefault(group => group.Profile.Stages.Count > 0) is { Profile: var staged })
            throw new InputException(
                $"profile {staged.Name}: \"stages\" is given; the simulated traces of a property begin with the "
                    + "run and see its first stages only; allowed: a copy of the profile without it; "
                    + "'mqttcheck predict' and 'mqttcheck verify' follow every stage"
            );
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
        var wait = population.Groups.Min(group =>
            group.Profile.IsScripted ? ClientLife.MeanWaitOf(group.Profile) : group.Profile.WaitMilliseconds.Mean
        );
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

    /// <summary>
    /// The values of a property on all clients of each replication, in order, without end unless a number is given.
    /// </summary>
    internal IEnumerable<TraceValues> Values(
        TraceProperty property,
        IShardRunner runner,
        int? replications,
        CancellationToken cancellation
    ) => runner.Run(new TraceJob(_model, _setup, property), replications, cancellation);
}
