using MqttCheck.Sequential;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Properties.Pairs;

/// <summary>
/// Decides or estimates what is asked of two clusters, pair by pair of runs that were made in turn. Pairs must be
/// independent. Where nothing bounds what is measured, their logarithmic ratios or differences must be about normal.
/// </summary>
/// <remarks>
/// The interval's error is that of the verdict: a statement holds if the whole interval lies within its bounds, and is
/// violated if none of it does. How many pairs are made is fixed beforehand, as an approximate interval needs it.
/// </remarks>
internal sealed class PairStatementTest
{
    private readonly double _error;
    private readonly (RunLimits First, RunLimits Second)? _limits;
    private readonly ClusterPropertyTest? _property;
    private readonly List<(double First, double Second)> _pairs = [];
    private int _silent;
    private int _endless;

    /// <summary>A test without pairs so far.</summary>
    /// <param name="statement">The statement to test.</param>
    /// <param name="error">The largest probability of a wrong decision or interval; in (0, .5).</param>
    /// <param name="indifference">See <see cref="ClusterPropertyTest"/>.</param>
    /// <param name="limits">The limits of a run of each cluster; null makes all intervals of means approximate.</param>
    public PairStatementTest(
        PairStatement statement,
        double error,
        double indifference,
        (RunLimits First, RunLimits Second)? limits
    )
    {
        (Statement, _error, _limits) = (statement, error, limits);
        if (statement.Property is { } property)
            _property = new ClusterPropertyTest(
                property,
                error,
                indifference,
                statement.Kind == PairStatementKind.First ? limits?.First : limits?.Second
            );
    }

    /// <summary>The statement that is tested.</summary>
    public PairStatement Statement { get; }

    /// <summary>How many pairs a statement about one cluster takes if it holds in all; 0 for the others.</summary>
    public int PairsIfAllHold => _property?.RunsIfAllHold ?? 0;

    /// <summary>Counts a pair of runs.</summary>
    /// <param name="first">The run of the first cluster.</param>
    /// <param name="second">The run of the second.</param>
    public void Add(ClusterOutcome first, ClusterOutcome second)
    {
        if (_property is not null)
        {
            _property.Add(Statement.Kind == PairStatementKind.First ? first : second);
            return;
        }
        var pair = (Statement.Measure.MeanOf(first), Statement.Measure.MeanOf(second));
        if (double.IsFinite(pair.Item1) && double.IsFinite(pair.Item2))
            _pairs.Add(pair);
        else if (double.IsNaN(pair.Item1) || double.IsNaN(pair.Item2))
            _silent++;
        else
            _endless++;
    }

    /// <summary>The answer that the pairs so far give.</summary>
    public PairAnswer Answer
    {
        get
        {
            if (_property is not null)
                return OfProperty(_property.Answer);
            // Pairs that are left out because they last too long would make the others look short.
            if (_endless > 0)
                return Make(
                    null,
                    Invariant($"{Counted.Of(_endless, "pair")} saw no end of it, so there is no mean: ask for a ")
                        + "property of each, such as 'first: P[ repair < 10s ]'"
                );
            if (_pairs.Count == 0)
                return Make(null, _silent == 0 ? "no pair was made" : Invariant($"none of {_silent} pairs knows it"));
            return Statement.Kind == PairStatementKind.Difference
                    ? Make(RunMean.OfDifferences(_pairs, Statement.Measure, _limits, _error))
                : RunMean.OfRatios(_pairs, Statement.Measure, _limits, _error) is { } ratio ? Make(ratio)
                : Make(null, "a run has the value 0, which has no ratio: ask for the difference");
        }
    }

    private PairAnswer OfProperty(ClusterAnswer answer) =>
        new()
        {
            Statement = Statement,
            Count = answer.Runs,
            Estimate = answer.Estimate,
            Interval = answer.Interval,
            Kind = answer.Kind,
            IfNormal = answer.IfNormal,
            Holds = answer.Holds,
            Reason = answer.Reason,
        };

    private PairAnswer Make(RunMean mean) =>
        Make(mean, mean.Reason(Statement.IsDecision ? interval => Verdict(interval) is not null : null));

    private bool? Verdict(Interval interval) =>
        Statement.Bounds is not { } bounds ? null
        : interval.Lower >= bounds.Least && interval.Upper <= bounds.Most ? true
        : interval.Upper < bounds.Least || interval.Lower > bounds.Most ? false
        : null;

    private PairAnswer Make(RunMean? mean, string reason) =>
        new()
        {
            Statement = Statement,
            Count = _pairs.Count,
            First = _pairs.Count == 0 ? null : _pairs.Average(pair => pair.First),
            Second = _pairs.Count == 0 ? null : _pairs.Average(pair => pair.Second),
            Estimate = mean?.Estimate,
            Interval = mean?.Interval,
            Kind = mean?.Kind,
            IfNormal = mean?.IfNormal,
            Holds = mean?.Interval is { } interval ? Verdict(interval) : null,
            Reason = _silent > 0 && _pairs.Count > 0 ? Invariant($"{reason}; {_silent} pairs do not know it") : reason,
        };
}
