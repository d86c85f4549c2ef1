using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>
/// Tests predictions on a live broker, with a <see cref="RunLoop{TRun}"/>: each setup gets the smallest number of runs,
/// then those without a verdict get more while the budget lasts.
/// </summary>
internal sealed class VerificationCampaign
{
    private readonly IBrokerUnderTest _broker;
    private readonly CampaignOptions _options;
    private readonly VerificationOptions _test;
    private readonly TimeProvider _time;

    /// <summary>A verification on a broker.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="options">How to load it.</param>
    /// <param name="test">The error, the indifference and the smallest number of runs.</param>
    /// <param name="time">The clock that dates the runs and measures the budget.</param>
    /// <exception cref="InputException">An option of the test is out of range.</exception>
    public VerificationCampaign(
        IBrokerUnderTest broker,
        CampaignOptions options,
        VerificationOptions test,
        TimeProvider time
    )
    {
        InputException.ThrowIfAny(test.Validate("verification"));
        (_broker, _options, _test, _time) = (broker, options, test, time);
    }

    /// <summary>Whether a run can be used; given where the state of the machine must not matter.</summary>
    internal Func<RunHealth, bool>? IsValid { get; init; }

    /// <summary>Makes the runs.</summary>
    /// <param name="setups">The setups to verify, at least one.</param>
    /// <param name="budget">How long the runs may take; see <see cref="TimeBudget"/>.</param>
    /// <param name="sink">Receives the exchanges.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the verification in order: what has been counted is kept.</param>
    /// <param name="atOnce">Ends it without clean-up on the broker.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    public VerificationResult Run(
        IReadOnlyList<VerifiedSetup> setups,
        TimeBudget budget,
        IExchangeSink sink,
        IProgress<VerificationProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        var runner = new CampaignRunner(_broker, _options, sink, _time);
        Population[] populations = [.. setups.Select(setup => setup.Population)];
        runner.RequireRights(populations, orderly);
        var display = new Progress(progress);
        display.Series.AddRange(setups.Select(setup => Series(setup, runner, display, orderly, atOnce)));
        var loop = new RunLoop<FleetRunResult>(display.Series, budget, _time) { IsValid = IsValid };
        var tallies = loop.Run(orderly);
        runner.RequireRights(populations, orderly);
        var interrupted = orderly.IsCancellationRequested;
        return new(
            [
                .. display
                    .Series.Zip(tallies)
                    .SelectMany(pair =>
                        pair.First.Conclude(pair.Second, interrupted, budget.Time)
                            .Select(verdict => new TimedVerdict(verdict, pair.Second.Spent))
                    ),
            ],
            runner.Cases,
            runner.Results,
            interrupted
        );
    }

    private PredictionSeries<FleetRunResult> Series(
        VerifiedSetup setup,
        CampaignRunner runner,
        Progress display,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        var name = "";
        PredictionSeries<FleetRunResult> series = null!;
        series = new(setup.Points, _test, Make)
        {
            Added = (counts, share) =>
                display.Report(
                    share,
                    counts ? name : name + ", which is invalid and does not count",
                    counts ? series.Latest : []
                ),
        };
        return series;

        FleetRunResult Make(RunTurn turn)
        {
            name = Invariant($"run {turn.Index + 1} of {setup.Population.Name}, {setup.Clients} clients");
            return runner.Run(
                turn.Number,
                RunPurpose.Verify,
                setup.Population,
                setup.Clients,
                setup.CountedSequences,
                null,
                display.While(turn, name),
                orderly,
                atOnce
            );
        }
    }

    // Tells how far all setups are: while a run goes on, and after it.
    private sealed class Progress(IProgress<VerificationProgress>? progress)
    {
        public List<PredictionSeries<FleetRunResult>> Series { get; } = [];

        public void Report(double share, string detail, IReadOnlyList<Verdict> moved) =>
            progress?.Report(new(share, detail, [.. Series.SelectMany(series => series.Latest)], moved));

        public Relay<FleetProgress>? While(RunTurn turn, string name) =>
            progress is null
                ? null
                : new Relay<FleetProgress>(fleet =>
                    Report(
                        turn.ShareAt((double)fleet.SequencesDone / fleet.SequencesNeeded),
                        Invariant($"{name}, {fleet.SequencesDone} of {fleet.SequencesNeeded} sequences"),
                        []
                    )
                );
    }
}
