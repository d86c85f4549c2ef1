using MqttCheck.Brokers.Fleets;
using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>The test of one pair of brokers at one threshold, fed with rounds of runs.</summary>
internal sealed class PairTest
{
    private readonly ComparedSetup _setup;
    private readonly int? _first;
    private readonly int _second;
    private readonly TwoSampleTest _test;

    public PairTest(ComparedSetup setup, double thresholdMilliseconds, int? first, int second, TwoSampleOptions options)
    {
        (_setup, ThresholdMilliseconds, _first, _second) = (setup, thresholdMilliseconds, first, second);
        _test = setup.StoredRuns is { } stored
            ? new(
                options,
                [
                    .. stored.Select(run => new RunCount(
                        run.Count(latency => latency < thresholdMilliseconds),
                        run.Count
                    )),
                ]
            )
            : new(options);
        Latest = _test.Conclude();
    }

    public double ThresholdMilliseconds { get; }

    public TwoSampleResult Latest { get; private set; }

    /// <summary>
    /// Counts a round, which has one run of each broker. A run without a counted sequence gives no information, and
    /// neither does its partner. If one of the two runs is invalid, the test notes that data are missing.
    /// </summary>
    public void Add(IReadOnlyList<UsedRun<FleetRunResult>> round)
    {
        var second = Count(round[_second]);
        RunCount? first = _first is { } place ? Count(round[place]) : null;
        if (!round[_second].Counts || (_first is { } other && !round[other].Counts))
            Latest = _test.AddInvalid(first, second);
        else if (second.Samples > 0 && first is null)
            Latest = _test.AddRun(second);
        else if (second.Samples > 0 && first is { Samples: > 0 } counted)
            Latest = _test.AddPair(counted, second);
    }

    public PointComparison Conclude(bool interrupted, TimeSpan budget) =>
        new(_setup, ThresholdMilliseconds, _first, _second, _test.Conclude(interrupted, budget));

    private RunCount Count(UsedRun<FleetRunResult> used) => RunCount.Of(used.Run.Outcomes, ThresholdMilliseconds);
}
