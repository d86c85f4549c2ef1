using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>Runs training cases, one after the other, against a live broker; every exchange goes to the log.</summary>
public sealed class Exploration
{
    private readonly IBrokerUnderTest _broker;
    private readonly CampaignOptions _options;
    private readonly TimeProvider _time;

    /// <summary>An exploration of a broker.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="options">How to load it.</param>
    /// <param name="time">The clock that dates the cases.</param>
    public Exploration(IBrokerUnderTest broker, CampaignOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(broker);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        (_broker, _options, _time) = (broker, options, time);
    }

    /// <summary>Runs the cases in their order.</summary>
    /// <param name="cases">What to run; each has a population and a duration.</param>
    /// <param name="sink">Where the exchanges go.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the exploration in order: the running case is cut.</param>
    /// <param name="atOnce">Ends it without clean-up on the broker.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended. What was logged before stays.</exception>
    public ExplorationResult Run(
        IReadOnlyList<RunCase> cases, IExchangeSink sink, IProgress<CampaignProgress>? progress, CancellationToken orderly, CancellationToken atOnce)
    {
        ArgumentNullException.ThrowIfNull(cases);
        ArgumentNullException.ThrowIfNull(sink);
        var runner = new CampaignRunner(_broker, _options, sink);
        var done = new List<RunCase>(cases.Count);
        var results = new List<FleetRunResult>(cases.Count);
        var total = cases.Sum(planned => planned.Duration!.Value.TotalSeconds);
        var passed = 0.0;
        foreach (var planned in cases)
        {
            if (orderly.IsCancellationRequested) return new(done, results, Interrupted: true);
            var started = _time.GetUtcNow();
            var before = passed;
            var inner = progress is null ? null : new Relay<FleetProgress>(fleet => progress.Report(new(
                Math.Min(1, (before + Math.Min(fleet.Elapsed.TotalSeconds, planned.Duration!.Value.TotalSeconds)) / total),
                string.Create(CultureInfo.InvariantCulture, $"case {done.Count + 1} of {cases.Count}, {planned.Clients} clients"))));
            var result = runner.Run(planned.Run, planned.Population!, planned.Clients, null, planned.Duration, inner, orderly, atOnce);
            results.Add(result);
            done.Add(planned with { Started = started, Ended = started + result.Duration, Complete = !result.Interrupted });
            if (result.Interrupted) return new(done, results, Interrupted: true);
            passed += planned.Duration!.Value.TotalSeconds;
        }
        return new(done, results, Interrupted: false);
    }
}
