using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>
/// Estimates the probabilities of points on a live broker from a fixed number of sequences, spread over several runs. A
/// sequential verdict on fewer sequences can be checked against the estimate. The setups take turns. A run is invalid
/// and does not count if the generator was late or overloaded.
/// </summary>
/// <param name="broker">The broker, running.</param>
/// <param name="options">How to load it. The seed must not be that of the runs that are to be checked.</param>
/// <param name="time">The clock that dates the runs.</param>
public sealed class MonteCarlo(IBrokerUnderTest broker, CampaignOptions options, TimeProvider time)
{
    /// <summary>The smallest number of runs of each setup.</summary>
    public const int Runs = 5;

    /// <summary>The confidence of the intervals.</summary>
    public const double Confidence = .99;

    /// <summary>Whether a run can be used; given where the state of the machine must not matter.</summary>
    internal Func<RunHealth, bool>? IsValid { get; init; }

    /// <summary>Makes the runs.</summary>
    /// <param name="setups">The setups to measure, at least one; the number of sequences is computed here.</param>
    /// <param name="sequences">How many sequences of each setup, at least; at least 1.</param>
    /// <param name="sink">Receives the exchanges.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends it in order: what has been counted is kept.</param>
    /// <param name="atOnce">Ends it without clean-up on the broker.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    public MonteCarloResult Run(
        IReadOnlyList<VerifiedSetup> setups,
        int sequences,
        IExchangeSink sink,
        IProgress<CampaignProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(sequences);
        var runner = new CampaignRunner(broker, options, sink, time);
        Population[] populations = [.. setups.Select(setup => setup.Population)];
        runner.RequireRights(populations, orderly);
        var outcomes = setups.Select(_ => new List<IReadOnlyList<Outcome>>()).ToArray();
        for (var run = 0; run < Runs; run++)
        {
            for (var index = 0; index < setups.Count && !orderly.IsCancellationRequested; index++)
            {
                var setup = setups[index];
                var number = runner.Cases.Count;
                var perClient = (sequences + Runs * setup.Clients - 1) / (Runs * setup.Clients);
                progress?.Report(
                    new(
                        (double)number / (Runs * setups.Count),
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"run {run + 1} of {Runs}, {setup.Population.Name}, {setup.Clients} clients"
                        )
                    )
                );
                var result = runner.Run(
                    number,
                    RunPurpose.Verify,
                    setup.Population,
                    setup.Clients,
                    perClient,
                    null,
                    null,
                    orderly,
                    atOnce
                );
                if (!result.Interrupted && (IsValid?.Invoke(result.Health) ?? RunJudgement.UseOf(result).Counts()))
                    outcomes[index].Add(result.Outcomes);
            }
        }
        runner.RequireRights(populations, orderly);
        var estimates = setups.SelectMany(
            (setup, index) => setup.Points.Select(point => MonteCarloEstimate.Of(point, outcomes[index]))
        );
        return new([.. estimates], runner.Cases, runner.Results, orderly.IsCancellationRequested);
    }
}
