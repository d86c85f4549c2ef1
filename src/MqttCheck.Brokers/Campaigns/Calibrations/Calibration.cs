using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Probes;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clients;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>
/// Runs training cases and the very setups that are to be predicted in turns (some of the cases, one run of each setup,
/// again and again), so that drift of the machine falls on both alike. A measurement that is invalid, because the
/// generator was late or overloaded, does not count. Before each turn the latency of the idle broker is measured, which
/// shows such drift.
/// </summary>
/// <param name="broker">The broker, running.</param>
/// <param name="options">How to load it.</param>
/// <param name="time">The clock that dates the runs.</param>
internal sealed class Calibration(IBrokerUnderTest broker, CampaignOptions options, TimeProvider time)
{
    /// <summary>Makes the runs.</summary>
    /// <param name="cases">The training cases, renumbered as they come.</param>
    /// <param name="setups">The setups to measure.</param>
    /// <param name="turns">How often each setup is run, 2 or more.</param>
    /// <param name="sink">Receives the exchanges of cases and setups.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the calibration in order.</param>
    /// <param name="atOnce">Ends it without clean-up.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    public CalibrationRuns Run(
        IReadOnlyList<TrainingCase> cases,
        IReadOnlyList<CalibrationSetup> setups,
        int turns,
        IExchangeSink sink,
        IProgress<CampaignProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(turns, 2);
        var runner = new CampaignRunner(broker, options, sink, time);
        Population[] populations = [.. setups.Select(setup => setup.Population), .. cases.Select(of => of.Population)];
        runner.RequireRights(populations, orderly);
        var measured = setups.Select(_ => new List<double[]>()).ToArray();
        var idle = new List<IdleLatency>();
        var planned = cases.Count + turns * setups.Count;
        for (var turn = 0; turn < turns && !orderly.IsCancellationRequested; turn++)
        {
            var prefix = string.Create(CultureInfo.InvariantCulture, $"{options.Prefix}turn{turn}/");
            idle.Add(IdleDrift.Measure(broker, options with { Prefix = prefix }, populations, orderly));
            for (var index = cases.Count * turn / turns; index < cases.Count * (turn + 1) / turns; index++)
            {
                var training = cases[index];
                if (Execute(training.Population, training.Clients, null, training.Duration, RunPurpose.Explore) is null)
                    break;
            }
            for (var index = 0; index < setups.Count && !orderly.IsCancellationRequested; index++)
            {
                var setup = setups[index];
                var (population, clients, sequences) = (setup.Population, setup.Clients, setup.SequencesPerClient);
                var result = Execute(population, clients, sequences, null, RunPurpose.Verify);
                if (result is { Interrupted: false } && RunJudgement.UseOf(result).Counts())
                    measured[index].Add(Worst(result));
            }
        }
        runner.RequireRights(populations, orderly);
        return new(
            runner.Cases,
            runner.Results,
            [.. measured.Select((runs, index) => new MeasuredSetup(setups[index], runs))],
            idle,
            orderly.IsCancellationRequested
        );

        FleetRunResult? Execute(Population population, int clients, int? sequences, TimeSpan? duration, RunPurpose why)
        {
            if (orderly.IsCancellationRequested)
                return null;
            var number = runner.Cases.Count;
            var what = why == RunPurpose.Explore ? "training case" : "measuring";
            var step = FormattableString.Invariant(
                $"{what} {population.Name}, {clients} clients ({number + 1} of {planned} runs)"
            );
            progress?.Report(new((double)number / planned, step));
            return runner.Run(number, why, population, clients, sequences, duration, null, orderly, atOnce);
        }
    }

    /// <summary>
    /// The worst latency of each sequence of a run that ended, in milliseconds. A failed one was not in time, whatever
    /// the threshold.
    /// </summary>
    /// <param name="run">The run.</param>
    public static double[] Worst(FleetRunResult run) =>
        [
            .. run
                .Outcomes.Where(outcome => outcome.Status != OutcomeStatus.Unfinished)
                .Select(outcome =>
                    outcome.Status == OutcomeStatus.Completed
                        ? outcome.Latencies.WorstMilliseconds
                        : double.PositiveInfinity
                ),
        ];
}
