using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Verification;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>
/// Tests predictions on a live broker. The setups take turns (A B A B ...), so that drift of the machine falls on all of them alike; each gets the smallest
/// number of runs, then those without a verdict get more while the budget lasts. A broker so slow that not even the smallest number of runs fits gets no more runs either.
/// A run that is invalid, because the generator was late or overloaded, does not count; another is made in its place while the budget lasts, and while fewer runs of its setup are invalid than count.
/// </summary>
public sealed class VerificationCampaign
{
    /// <summary>The smallest number of runs may take this many times the budget, so that a verification which was planned a little too tightly still ends with a verdict.</summary>
    public const double Grace = 1.25;

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
        ArgumentNullException.ThrowIfNull(broker);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(time);
        var errors = test.Validate("verification");
        if (errors.Count > 0)
            throw new InputException(string.Join('\n', errors));
        (_broker, _options, _test, _time) = (broker, options, test, time);
    }

    /// <summary>Whether a run can be used; replaced where the state of the machine must not matter. Asked once for each run.</summary>
    internal Func<RunHealth, bool> IsValid { get; init; } = health => health.IsValid;

    /// <summary>Makes the runs.</summary>
    /// <param name="setups">What to verify, at least one setup.</param>
    /// <param name="budget">No run begins that would end later, were it as long as the longest of its setup so far; up to the smallest number of runs <see cref="Grace"/> times as late.</param>
    /// <param name="sink">Where the exchanges go.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the verification in order: what has been counted is kept.</param>
    /// <param name="atOnce">Ends it without clean-up on the broker.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    public VerificationResult Run(
        IReadOnlyList<VerifiedSetup> setups,
        TimeSpan budget,
        IExchangeSink sink,
        IProgress<VerificationProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        ArgumentNullException.ThrowIfNull(setups);
        ArgumentNullException.ThrowIfNull(sink);
        var runner = new CampaignRunner(_broker, _options, sink, _time);
        var tests = setups
            .Select(setup => setup.Points.Select(point => new PredictionTest(point, _test)).ToArray())
            .ToArray();
        // What may be shown before the first run of each setup.
        var latest = tests.Select(family => family.Select(test => test.Conclude()).ToArray()).ToArray();
        var (counted, invalid) = (new int[setups.Count], new int[setups.Count]);
        var spent = new TimeSpan[setups.Count];
        var longest = new TimeSpan[setups.Count];
        var began = _time.GetTimestamp();
        while (true)
        {
            var open = Enumerable
                .Range(0, setups.Count)
                .Where(setup =>
                    HasTime(setup)
                    && IsWorthRepeating(setup)
                    && (
                        IsBelowMinimum(setup)
                        || latest[setup].Any(verdict => verdict is { IsDecided: false, IsVague: false })
                    )
                )
                .ToArray();
            if (open.Length == 0 || orderly.IsCancellationRequested)
                break;
            foreach (var index in open)
            {
                if (!HasTime(index))
                    continue;
                var setup = setups[index];
                var number = runner.Cases.Count;
                var isBelowMinimum = IsBelowMinimum(index);
                var share = Share();
                var name = string.Create(
                    CultureInfo.InvariantCulture,
                    $"run {counted[index] + invalid[index] + 1} of {setup.Population.Name}, {setup.Clients} clients"
                );
                var inner = progress is null
                    ? null
                    : new Relay<FleetProgress>(fleet =>
                        progress.Report(
                            new(
                                isBelowMinimum
                                    ? share
                                        + (double)fleet.SequencesDone
                                            / fleet.SequencesNeeded
                                            / (setups.Count * _test.MinimumRuns)
                                    : share,
                                string.Create(
                                    CultureInfo.InvariantCulture,
                                    $"{name}, {fleet.SequencesDone} of {fleet.SequencesNeeded} sequences"
                                ),
                                AllOf(latest),
                                []
                            )
                        )
                    );
                var clock = _time.GetTimestamp();
                var result = runner.Run(
                    number,
                    RunPurpose.Verify,
                    setup.Population,
                    setup.Clients,
                    setup.CountedSequences,
                    null,
                    inner,
                    orderly,
                    atOnce
                );
                var took = _time.GetElapsedTime(clock);
                spent[index] += took;
                longest[index] = took > longest[index] ? took : longest[index];
                if (IsValid(result.Health))
                {
                    counted[index]++;
                    latest[index] = [.. tests[index].Select(test => test.AddRun(result.Outcomes))];
                    progress?.Report(new(Share(), name, AllOf(latest), latest[index]));
                }
                else
                {
                    invalid[index]++;
                    progress?.Report(new(Share(), name + ", which is invalid and does not count", AllOf(latest), []));
                }
                if (orderly.IsCancellationRequested)
                    break;
            }
        }

        // The smallest number of runs is made before any look at the verdict.
        bool IsBelowMinimum(int setup) => counted[setup] < _test.MinimumRuns;

        // Where half of the runs are invalid there will be no verdict.
        bool IsWorthRepeating(int setup) => invalid[setup] < Math.Max(_test.MinimumRuns, counted[setup]);

        // The first run is made in any case.
        bool HasTime(int setup) =>
            runner.Cases.Count == 0
            || _time.GetElapsedTime(began) + longest[setup] <= budget * (IsBelowMinimum(setup) ? Grace : 1);

        double Share()
        {
            var done = counted.Sum(runs => Math.Min(runs, _test.MinimumRuns));
            return done < setups.Count * _test.MinimumRuns
                ? (double)done / (setups.Count * _test.MinimumRuns)
                : Math.Min(1, _time.GetElapsedTime(began) / budget);
        }

        var interrupted = orderly.IsCancellationRequested;
        var verdicts = tests
            .SelectMany(
                (family, index) =>
                    family.Select(test => new TimedVerdict(test.Conclude(interrupted, budget), spent[index]))
            )
            .ToArray();
        return new(verdicts, runner.Cases, runner.Results, interrupted);
    }

    private static Verdict[] AllOf(Verdict[][] latest) => [.. latest.SelectMany(verdicts => verdicts)];
}
