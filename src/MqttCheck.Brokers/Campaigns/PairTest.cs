using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Sequential.Runs;

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
    /// Counts a round: the outcomes of each broker. A run without a counted sequence, and its partner, say nothing.
    /// </summary>
    public void Add(IReadOnlyList<Outcome>[] outcomes)
    {
        if (Count(outcomes[_second]) is not { } second)
            return;
        if (_first is null)
            Latest = _test.AddRun(second);
        else if (Count(outcomes[_first.Value]) is { } first)
            Latest = _test.AddPair(first, second);
    }

    public PointComparison Conclude(bool interrupted, TimeSpan budget) =>
        new(_setup, ThresholdMilliseconds, _first, _second, _test.Conclude(interrupted, budget));

    private RunCount? Count(IReadOnlyList<Outcome> outcomes) =>
        RunCount.Of(outcomes, ThresholdMilliseconds) is { Samples: > 0 } counted ? counted : null;
}
