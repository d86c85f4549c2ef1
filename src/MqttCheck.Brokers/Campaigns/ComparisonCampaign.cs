using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Health;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>
/// Compares live brokers, or live brokers with stored runs. The brokers take turns in every round (A B, B A, A B ...), with the same choices of the clients, so that drift and moods of the machine fall on all
/// of them alike; setups without a verdict get more rounds while the budget lasts. A run that is invalid, because the generator was late or overloaded, does not count, and neither does what it would have been
/// compared with; another round is made in its place while the budget lasts, and while fewer rounds of its setup have such a run than have none.
/// </summary>
public sealed class ComparisonCampaign
{
    private readonly IReadOnlyList<IBrokerUnderTest> _brokers;
    private readonly CampaignOptions _options;
    private readonly TwoSampleOptions _test;
    private readonly TimeProvider _time;

    /// <summary>A comparison of brokers.</summary>
    /// <param name="brokers">The brokers, running: at least two, or one where every setup has stored runs.</param>
    /// <param name="options">How to load them.</param>
    /// <param name="test">The error of the whole family, the indifference and the smallest number of runs. The number of comparisons is computed here.</param>
    /// <param name="time">The clock that dates the runs and measures the budget.</param>
    public ComparisonCampaign(
        IReadOnlyList<IBrokerUnderTest> brokers,
        CampaignOptions options,
        TwoSampleOptions test,
        TimeProvider time
    )
    {
        ArgumentNullException.ThrowIfNull(brokers);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(time);
        (_brokers, _options, _test, _time) = (brokers, options, test, time);
    }

    /// <summary>The client that each broker is loaded with, in their order; null for that of the options for all of them.</summary>
    public IReadOnlyList<ClientKind>? Clients { get; init; }

    /// <summary>Which runs count. Timing depends on the machine, so a test that asks about something else lets all count.</summary>
    internal Func<RunHealth, bool> IsValid { get; init; } = health => health.IsValid;

    /// <summary>How many comparisons share the error: every pair of brokers, or every broker where there are stored runs, at each of its thresholds.</summary>
    /// <param name="brokers">The number of live brokers.</param>
    /// <param name="setups">The setups.</param>
    public static int Comparisons(int brokers, IReadOnlyList<ComparedSetup> setups)
    {
        ArgumentNullException.ThrowIfNull(setups);
        return Math.Max(1, setups.Sum(setup => Pairs(brokers, setup).Count()));
    }

    /// <summary>Makes the runs.</summary>
    /// <param name="setups">What to compare on, at least one.</param>
    /// <param name="budget">No round begins that would end later, were it as long as the longest of its setup so far; up to the smallest number of runs <see cref="VerificationCampaign.Grace"/> times as late.</param>
    /// <param name="sinks">Where the exchanges of each broker go.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the comparison in order: what has been counted is kept.</param>
    /// <param name="atOnce">Ends it without clean-up on the brokers.</param>
    /// <exception cref="BrokerException">A broker cannot be reached, or ended.</exception>
    /// <exception cref="InputException">An option of the test is out of range, or there are too few stored runs.</exception>
    public ComparisonResult Run(
        IReadOnlyList<ComparedSetup> setups,
        TimeSpan budget,
        IReadOnlyList<IExchangeSink> sinks,
        IProgress<CampaignProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        ArgumentNullException.ThrowIfNull(setups);
        ArgumentNullException.ThrowIfNull(sinks);
        var options = _test with { Comparisons = Comparisons(_brokers.Count, setups) };
        var tests = setups
            .Select(setup =>
                Pairs(_brokers.Count, setup)
                    .Select(pair => new PairTest(setup, pair.Threshold, pair.First, pair.Second, options))
                    .ToArray()
            )
            .ToArray();
        var runners = _brokers
            .Select((broker, index) => new CampaignRunner(broker, OptionsOf(index), sinks[index], _time))
            .ToArray();
        var (counted, invalid) = (new int[setups.Count], new int[setups.Count]);
        var longest = new TimeSpan[setups.Count];
        var began = _time.GetTimestamp();
        var number = 0;
        for (var round = 0; !orderly.IsCancellationRequested; round++)
        {
            var open = Enumerable
                .Range(0, setups.Count)
                .Where(setup =>
                    HasTime(setup)
                    && IsWorthRepeating(setup)
                    && (IsBelowMinimum(setup) || tests[setup].Any(test => !test.Latest.IsDecided))
                )
                .ToArray();
            if (open.Length == 0)
                break;
            foreach (var index in open)
            {
                if (!HasTime(index))
                    continue;
                var clock = _time.GetTimestamp();
                var outcomes = new IReadOnlyList<Outcome>[_brokers.Count];
                for (var turn = 0; turn < _brokers.Count && !orderly.IsCancellationRequested; turn++)
                {
                    var broker = (round + turn) % _brokers.Count;
                    progress?.Report(new(Share(turn), Describe(setups[index], round, broker, tests[index])));
                    var setup = setups[index];
                    var result = runners[broker]
                        .Run(
                            number,
                            RunPurpose.Verify,
                            setup.Population,
                            setup.Clients,
                            setup.CountedSequences,
                            null,
                            null,
                            orderly,
                            atOnce
                        );
                    if (!result.Interrupted)
                        outcomes[broker] = IsValid(result.Health) ? result.Outcomes : [];
                }
                number++;
                if (_time.GetElapsedTime(clock) is var took && took > longest[index])
                    longest[index] = took;
                if (outcomes.Any(outcome => outcome is null))
                    break;
                if (outcomes.All(outcome => outcome.Count > 0))
                    counted[index]++;
                else
                    invalid[index]++;
                foreach (var test in tests[index])
                    test.Add(outcomes);
            }
        }

        bool IsBelowMinimum(int setup) => counted[setup] < _test.MinimumRuns;

        // Where half of the rounds are invalid there will be no verdict.
        bool IsWorthRepeating(int setup) => invalid[setup] < Math.Max(_test.MinimumRuns, counted[setup]);

        // The first round is made in any case.
        bool HasTime(int setup) =>
            number == 0
            || _time.GetElapsedTime(began) + longest[setup]
                <= budget * (IsBelowMinimum(setup) ? VerificationCampaign.Grace : 1);

        double Share(int turn)
        {
            var done = counted.Sum(rounds => Math.Min(rounds, _test.MinimumRuns));
            return done < setups.Count * _test.MinimumRuns
                ? (done + ((double)turn / _brokers.Count)) / (setups.Count * _test.MinimumRuns)
                : Math.Min(1, _time.GetElapsedTime(began) / budget);
        }

        var interrupted = orderly.IsCancellationRequested;
        return new(
            [.. tests.SelectMany(family => family.Select(test => test.Conclude(interrupted, budget)))],
            [.. runners.Select(runner => runner.Cases)],
            [.. runners.Select(runner => runner.Results)],
            interrupted
        );
    }

    // On a broker that two clients share, each has topics of its own.
    private CampaignOptions OptionsOf(int broker) =>
        Clients is null
            ? _options
            : _options with
            {
                Client = Clients[broker],
                Prefix =
                    _brokers.Distinct().Count() == _brokers.Count
                        ? _options.Prefix
                        : string.Create(CultureInfo.InvariantCulture, $"{_options.Prefix}{broker}/"),
            };

    private static IEnumerable<(double Threshold, int? First, int Second)> Pairs(int brokers, ComparedSetup setup)
    {
        for (var second = 0; second < brokers; second++)
        {
            if (setup.StoredRuns is not null)
            {
                foreach (var threshold in setup.ThresholdsMilliseconds)
                    yield return (threshold, null, second);
                continue;
            }
            for (var first = 0; first < second; first++)
                foreach (var threshold in setup.ThresholdsOf(first, second))
                    yield return (threshold, first, second);
        }
    }

    private string Describe(ComparedSetup setup, int round, int broker, PairTest[] tests)
    {
        var seen =
            tests.Length > 0 && round > 0 && tests[0].Latest is { } latest
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $", difference {latest.Difference:+0.000;-0.000;0.000} below {tests[0].ThresholdMilliseconds:0.###} ms"
                )
                : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"round {round + 1}, {_brokers[broker].Description.Name}, {setup.Population.Name}, {setup.Clients} clients{seen}"
        );
    }
}
