using MqttCheck.Comparison;
using static System.FormattableString;

namespace MqttCheck.Clusters.Properties.Pairs;

/// <summary>
/// Decides or estimates what is asked of two clusters, pair by pair of runs that were made in turn. Pairs must be
/// independent, and their logarithmic ratios or differences nearly normal.
/// </summary>
/// <remarks>
/// How many pairs are made is fixed beforehand, so that the interval's error is that of the verdict: a statement holds
/// if the whole interval lies within its bounds, and is violated if none of it does.
/// </remarks>
public sealed class PairStatementTest
{
    private readonly double _error;
    private readonly ClusterPropertyTest? _property;
    private readonly List<(double First, double Second)> _pairs = [];
    private int _silent;

    /// <summary>A test without pairs so far.</summary>
    /// <param name="statement">What is asked.</param>
    /// <param name="error">The largest probability of a wrong decision or interval; in (0, .5).</param>
    /// <param name="indifference">See <see cref="ClusterPropertyTest"/>.</param>
    public PairStatementTest(PairStatement statement, double error, double indifference)
    {
        ArgumentNullException.ThrowIfNull(statement);
        (Statement, _error) = (statement, error);
        if (statement.Property is { } property)
            _property = new ClusterPropertyTest(property, error, indifference);
    }

    /// <summary>What is asked.</summary>
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
        else
            _silent++;
    }

    /// <summary>What is known now.</summary>
    public PairAnswer Answer
    {
        get
        {
            if (_property is not null)
                return OfProperty(_property.Answer);
            if (_pairs.Count == 0)
                return Make(null, _silent == 0 ? "no pair was made" : Invariant($"none of {_silent} pairs knows it"));
            if (Statement.Kind == PairStatementKind.Difference)
                return Make(PairedMean.OfDifferences(_pairs, _error), "Student's interval over the pairs");
            return _pairs.TrueForAll(pair => pair is { First: > 0, Second: > 0 })
                ? Make(
                    PairedMean.OfRatios(_pairs, _error),
                    "Student's interval over the logarithms of the pairs' ratios"
                )
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
            Holds = answer.Holds,
            Reason = answer.Reason,
        };

    private PairAnswer Make(PairedMean? mean, string reason)
    {
        bool? holds = null;
        if (Statement.Bounds is { } bounds && mean?.Interval is { } interval)
            holds =
                interval.Lower >= bounds.Least && interval.Upper <= bounds.Most ? true
                : interval.Upper < bounds.Least || interval.Lower > bounds.Most ? false
                : null;
        if (Statement.IsDecision && mean is not null)
            reason =
                mean.Value.Interval is null ? "a single pair has no interval"
                : holds is null ? reason + ", which an end of the range divides: more pairs make it narrower"
                : reason;
        return new()
        {
            Statement = Statement,
            Count = _pairs.Count,
            First = _pairs.Count == 0 ? null : _pairs.Average(pair => pair.First),
            Second = _pairs.Count == 0 ? null : _pairs.Average(pair => pair.Second),
            Estimate = mean?.Value,
            Interval = mean?.Interval,
            Holds = holds,
            Reason = _silent > 0 && _pairs.Count > 0 ? Invariant($"{reason}; {_silent} pairs do not know it") : reason,
        };
    }
}
