using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Comparison;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>
/// Compares live brokers, or live brokers with stored runs, with a <see cref="RunLoop{TRun}"/>. The brokers take turns
/// in every round (A B, B A, A B ...), and their clients make the same choices. Drift of the machine therefore affects
/// all brokers alike. An invalid run does not count, and neither do the runs that it would have been compared with.
/// </summary>
/// <param name="brokers">The brokers, running: at least two, or one where every setup has stored runs.</param>
/// <param name="options">How to load them.</param>
/// <param name="test">
/// The error of the whole family, the indifference and the smallest number of runs. The number of comparisons is
/// computed here.
/// </param>
/// <param name="time">The clock that dates the runs and measures the budget.</param>
internal sealed class ComparisonCampaign(
    IReadOnlyList<IBrokerUnderTest> brokers,
    CampaignOptions options,
    TwoSampleOptions test,
    TimeProvider time
)
{
    /// <summary>
    /// The client that each broker is loaded with, in their order; null for that of the options for all of them.
    /// </summary>
    public IReadOnlyList<ClientKind>? Clients { get; init; }

    /// <summary>
    /// The names of the brokers in the reasons of verdicts, in their order; null for "the first" and "the second".
    /// </summary>
    public IReadOnlyList<string>? Labels { get; init; }

    /// <summary>The name of the stored runs in the reasons of verdicts, if the brokers have labels.</summary>
    public const string StoredLabel = "baseline";

    /// <summary>Whether a run can be used; given where the state of the machine must not matter.</summary>
    internal Func<RunHealth, bool>? IsValid { get; init; }

    /// <summary>
    /// How many comparisons share the error: every pair of brokers, or every broker where there are stored runs, at
    /// each of its thresholds.
    /// </summary>
    /// <param name="brokers">The number of live brokers.</param>
    /// <param name="setups">The setups.</param>
    public static int Comparisons(int brokers, IReadOnlyList<ComparedSetup> setups) =>
        Math.Max(1, setups.Sum(setup => ComparisonSeries.Pairs(brokers, setup).Count()));

    /// <summary>Makes the runs.</summary>
    /// <param name="setups">The setups to compare on, at least one.</param>
    /// <param name="budget">How long the rounds may take; see <see cref="TimeBudget"/>.</param>
    /// <param name="sinks">Receive the exchanges of each broker.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the comparison in order: what has been counted is kept.</param>
    /// <param name="atOnce">Ends it without clean-up on the brokers.</param>
    /// <exception cref="BrokerException">A broker cannot be reached, or ended.</exception>
    /// <exception cref="InputException">
    /// An option of the test is out of range, or there are too few stored runs.
    /// </exception>
    public ComparisonResult Run(
        IReadOnlyList<ComparedSetup> setups,
        TimeBudget budget,
        IReadOnlyList<IExchangeSink> sinks,
        IProgress<CampaignProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        var family = test with { Comparisons = Comparisons(brokers.Count, setups) };
        var runners = brokers
            .Select((broker, index) => new CampaignRunner(broker, OptionsOf(index), sinks[index], time))
            .ToArray();
        RequireRights();
        var series = setups
            .Select(setup => new ComparisonSeries(setup, family, Labels, brokers, runners, progress, orderly, atOnce))
            .ToArray();
        var loop = new RunLoop<FleetRunResult>(series, budget, time) { IsValid = IsValid };
        var tallies = loop.Run(orderly);
        RequireRights();
        var interrupted = orderly.IsCancellationRequested;
        return new(
            [.. series.Zip(tallies).SelectMany(pair => pair.First.Conclude(pair.Second, interrupted, budget.Time))],
            [.. runners.Select(runner => runner.Cases)],
            [.. runners.Select(runner => runner.Results)],
            interrupted
        );

        void RequireRights()
        {
            foreach (var runner in runners)
                runner.RequireRights(setups.Select(setup => setup.Population), orderly);
        }
    }

    // On a broker that two clients share, each has topics of its own.
    private CampaignOptions OptionsOf(int broker) =>
        Clients is null
            ? options
            : options with
            {
                Client = Clients[broker],
                Prefix =
                    brokers.Distinct().Count() == brokers.Count
                        ? options.Prefix
                        : string.Create(CultureInfo.InvariantCulture, $"{options.Prefix}{broker}/"),
            };
}
