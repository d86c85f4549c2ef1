using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;
using MqttCheck.Profiles;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>Runs training cases, one after the other, against a live broker; every exchange goes to the log.</summary>
/// <param name="broker">The broker, running.</param>
/// <param name="options">How to load it.</param>
/// <param name="time">The clock that dates the cases.</param>
internal sealed class Exploration(IBrokerUnderTest broker, CampaignOptions options, TimeProvider time)
{
    /// <summary>Runs the cases in their order.</summary>
    /// <param name="cases">The cases to run.</param>
    /// <param name="sink">Receives the exchanges.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the exploration in order: the running case is cut.</param>
    /// <param name="atOnce">Ends it without clean-up on the broker.</param>
    /// <exception cref="BrokerException">
    /// The broker cannot be reached, or ended. Exchanges that were logged before remain in the log.
    /// </exception>
    public ExplorationResult Run(
        IReadOnlyList<TrainingCase> cases,
        IExchangeSink sink,
        IProgress<CampaignProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        var runner = new CampaignRunner(broker, options, sink, time);
        Population[] populations = [.. cases.Select(planned => planned.Population)];
        runner.RequireRights(populations, orderly);
        foreach (var planned in cases)
        {
            if (orderly.IsCancellationRequested)
                return new(runner.Cases, runner.Results, Interrupted: true);
            var inner = progress is null
                ? null
                : new Relay<FleetProgress>(fleet =>
                    progress.Report(
                        new(
                            (runner.Cases.Count + ShareDone(planned, fleet)) / cases.Count,
                            string.Create(
                                CultureInfo.InvariantCulture,
                                $"case {runner.Cases.Count + 1} of {cases.Count}, {planned.Clients} clients"
                            )
                        )
                    )
                );
            var result = runner.Run(
                planned.Run,
                RunPurpose.Explore,
                planned.Population,
                planned.Clients,
                SequencesOf(planned),
                planned.Duration,
                inner,
                orderly,
                atOnce
            );
            if (result.Interrupted)
                return new(runner.Cases, runner.Results, Interrupted: true);
        }
        runner.RequireRights(populations, orderly);
        return new(runner.Cases, runner.Results, Interrupted: false);
    }

    private static double ShareDone(TrainingCase planned, in FleetProgress fleet) =>
        planned.Duration is { } duration ? Math.Min(1, fleet.Elapsed / duration)
        : fleet.SequencesNeeded > 0 ? (double)fleet.SequencesDone / fleet.SequencesNeeded
        : 0;

    // Whole sequences with at least the planned number of messages.
    private static int? SequencesOf(TrainingCase planned) =>
        planned.MessagesPerClient is { } messages
            ? (messages - 1) / planned.Population.Groups.Max(group => group.Profile.SequenceLength) + 1
            : null;
}
