using System.Globalization;
using MqttCheck.Latency;
using MqttCheck.Profiles;
using MqttCheck.Shards;
using MqttCheck.Simulation;

namespace MqttCheck.Predictions;

/// <summary>Predicts the worst latency of a client's sequence by Monte Carlo simulation of whole setups.</summary>
internal static class Predictor
{
    private const int SmallestPilot = 10;

    /// <summary>
    /// Simulates a setup and keeps the worst latency of the counted sequences of every client in every replication,
    /// from which the probability for any threshold follows.
    /// </summary>
    /// <param name="model">The latency model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">How many clients share the broker, 1 or more.</param>
    /// <param name="options">How the prediction is made.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">
    /// A value is not allowed, or a replication did not end within the bound on its events.
    /// </exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static SetupPrediction Predict(
        LatencyModel model,
        Population population,
        int clients,
        PredictionOptions options,
        CancellationToken cancellation = default
    )
    {
        var setup = new SimulatedFleet
        {
            Population = population,
            Clients = clients,
            Seed = options.Seed,
            TimerGridMilliseconds = options.TimerGridMilliseconds,
            Sequences = Sequences(population, options),
        };
        InputException.ThrowIfAny(options.Validate().Union(setup.Validate()));

        var replications = Replications(population, clients, options);
        if ((long)clients * setup.Sequences * replications > Array.MaxLength)
        {
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"prediction asks for {options.Replications} replications of {clients} clients with "
                        + $"{setup.Sequences} sequences each; allowed: at most {Array.MaxLength} sequences in all"
                )
            );
        }
        var sample = FleetSimulation.Run(
            model,
            setup,
            replications,
            options.Runner ?? new LocalShardRunner(options.Threads),
            detailed: false,
            cancellation
        );
        return new SetupPrediction(population.Name, options, sample);
    }

    /// <summary>How many replications a prediction takes, those that choose thresholds included.</summary>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">How many clients share the broker, 1 or more.</param>
    /// <param name="options">How the prediction is made.</param>
    public static int Replications(Population population, int clients, PredictionOptions options)
    {
        if (options.PilotSequences == 0)
            return options.Replications;
        var wanted = (options.PilotSequences + (long)clients - 1) / clients / Sequences(population, options);
        return options.Replications + (int)Math.Min(Math.Max(wanted, SmallestPilot), options.Replications);
    }

    // Every stage of the load is simulated, in the proportion of its length.
    private static int Sequences(Population population, PredictionOptions options) =>
        Math.Max(population.SequencesPerRound, options.SequencesPerClient);
}
