using System.Diagnostics;
using MqttCheck.Properties;
using MqttCheck.Sequential;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Properties;

/// <summary>
/// Tests or estimates a property, run by run. Runs must be independent: nodes stay up between them, and a run begins
/// only when the cluster has healed. Wald's sequential probability ratio test with strict bounds decides.
/// A statement about messages is about their expected share in a run, of which the test is as good.
/// </summary>
internal sealed class ClusterPropertyTest
{
    private readonly double _error;
    private readonly RunLimits? _limits;
    private readonly SequentialProbabilityRatioTest? _test;
    private readonly List<double> _values = [];
    private readonly List<double[]> _messages = [];
    private int _silent;
    private int _fulfilling;

    /// <summary>A test without runs so far.</summary>
    /// <param name="property">The property.</param>
    /// <param name="error">The largest probability of each wrong decision, and of a wrong interval; in (0, .5).</param>
    /// <param name="indifference">
    /// For <c>P&gt;=p</c>: how far below p the truth must lie to be found a violation for sure; above 0. It is cut
    /// where it would leave 0 .. 1.
    /// </param>
    /// <param name="limits">
    /// The limits of a run, which bound an expectation. If they are null, its interval is approximate and assumes that
    /// runs are about normal.
    /// </param>
    public ClusterPropertyTest(ClusterProperty property, double error, double indifference, RunLimits? limits)
    {
        (Property, _error, _limits) = (property, error, limits);
        if (!property.IsDecision)
            return;
        // "The probability is at most p" means that the opposite has at least 1 - p.
        var level = property.Kind == PropertyKind.AtLeast ? property.Level : 1 - property.Level;
        _test = new SequentialProbabilityRatioTest(
            new SprtPlan(Math.Max(level / 2, level - indifference), level, error, error)
        );
    }

    /// <summary>The property.</summary>
    public ClusterProperty Property { get; }

    /// <summary>Whether a statement is decided; never for what asks for a value.</summary>
    public bool IsDecided => _test?.Decision is SprtDecision.AcceptH0 or SprtDecision.AcceptH1;

    /// <summary>After how many runs a statement is decided at the earliest if it holds in all; 0 for a value.</summary>
    public int RunsIfAllHold =>
        _test is null ? 0 : (int)Math.Ceiling(_test.Plan.UpperBound / _test.Plan.SuccessIncrement);

    /// <summary>After how many runs a statement is decided at the earliest if none holds; 0 for a value.</summary>
    public int RunsIfNoneHold =>
        _test is null ? 0 : (int)Math.Ceiling(_test.Plan.LowerBound / _test.Plan.FailureIncrement);

    /// <summary>Counts a run.</summary>
    /// <param name="outcome">The run.</param>
    public void Add(ClusterOutcome outcome)
    {
        if (Property.Measure is { } measure)
        {
            if (measure.Quantity.Times is { } times)
                AddMessages(times(outcome));
            else if (measure.Of(outcome) is var value && !double.IsNaN(value))
                _values.Add(value);
            else
                _silent++;
            return;
        }
        if (Property.Formula!.ShareOf(outcome) is not { } share)
        {
            _silent++;
            return;
        }
        _values.Add(share);
        _fulfilling += share >= 1 ? 1 : 0;
        _test?.AddShare(Property.Kind == PropertyKind.AtMost ? 1 - share : share);
    }

    /// <summary>The answer that the runs so far give.</summary>
    public ClusterAnswer Answer =>
        Property.Kind switch
        {
            _ when _values.Count + _messages.Count == 0 => Make(null, null, null, Nothing),
            PropertyKind.AtLeast or PropertyKind.AtMost => Decision(),
            PropertyKind.Probability => Make(Share, ShareInterval, null, "the run is the sampling unit"),
            PropertyKind.Expectation => Expectation(),
            PropertyKind.Quantile => Quantile(Property.Level),
            PropertyKind.Distribution => Quantile(.5),
            _ => throw new UnreachableException(),
        };

    private string Nothing =>
        _silent == 0 ? "no run was made" : Invariant($"none of {_silent} runs knows what it asks for");

    private double Share => _values.Average();

    // Shares of messages are no counts, and their interval holds for every law.
    private Interval ShareInterval =>
        Property.Formula!.IsOfMessages
            ? PredictionBoundsOf(_values.Sum(), _values.Sum(value => value * value), _values.Count)
            : BinomialIntervals.ClopperPearson(_fulfilling, _values.Count, _error);

    private void AddMessages(IReadOnlyList<double> milliseconds)
    {
        if (milliseconds.Count > 0)
            _messages.Add([.. milliseconds]);
        else
            _silent++;
    }

    private ClusterAnswer Decision()
    {
        var plan = _test!.Plan;
        bool? holds = IsDecided ? _test.Decision == SprtDecision.AcceptH1 : null;
        var (least, most) = Property.Kind == PropertyKind.AtLeast ? (plan.P0, plan.P1) : (1 - plan.P0, 1 - plan.P1);
        var (isLess, isMore) = Property.Kind == PropertyKind.AtLeast ? ("less", "more") : ("more", "less");
        var seen = Property.Formula!.IsOfMessages
            ? Invariant($"held for a share of {Share:0.####} in the mean of {Counted.Of(_values.Count, "run")}")
            : Invariant($"held in {_fulfilling} of {Counted.Of(_values.Count, "run")}");
        var reason = holds switch
        {
            true => Invariant($"{seen}: a probability of {least:0.####} or {isLess} is rejected"),
            false => Invariant($"{seen}: a probability of {most:0.####} or {isMore} is rejected"),
            _ => Invariant($"{seen}: that it holds takes {RunsIfAllHold} runs at least, the opposite ")
                + Invariant($"{RunsIfNoneHold}: allow more runs or a larger indifference"),
        };
        return Make(Share, ShareInterval, holds, reason);
    }

    private ClusterAnswer Expectation()
    {
        double[] values = [.. _messages.Count > 0 ? _messages.Select(run => run.Average()) : _values];
        if (values.Count(double.IsInfinity) is > 0 and var infinite)
            return Make(
                double.PositiveInfinity,
                null,
                null,
                Invariant($"{infinite} of {Counted.Of(values.Length, "run")} saw no end of it")
            );
        var mean = RunMean.OfValues(values, Property.Measure!.Value, _limits, _error);
        return Make(mean.Estimate, mean.Interval, null, mean.Reason()) with
        {
            Kind = mean.Kind,
            IfNormal = mean.IfNormal,
        };
    }

    private ClusterAnswer Quantile(double share)
    {
        var units = _messages.Count > 0 ? _messages : [.. _values.Select(value => new[] { value })];
        var row = QuantileBounds.OfMeans(
            units,
            share,
            (sum, squares) =>
                _messages.Count > 0
                    ? PredictionBoundsOf(sum, squares, units.Count)
                    : BinomialIntervals.ClopperPearson((long)Math.Round(sum), units.Count, _error)
        );
        return Make(row.Value, row.Interval, null, "valid for every law, the run being the sampling unit");
    }

    private Interval PredictionBoundsOf(double sum, double squares, int units) =>
        Predictions.PredictionBounds.OfMeans(sum, squares, units, _error);

    private ClusterAnswer Make(double? estimate, Interval? interval, bool? holds, string reason) =>
        new()
        {
            Property = Property,
            Runs = _values.Count + _messages.Count,
            Silent = _silent,
            Fulfilling = _fulfilling,
            Estimate = estimate,
            Interval = interval,
            Kind = interval is null ? null : IntervalPromise.Guaranteed,
            Holds = holds,
            Reason =
                _silent > 0 && estimate is not null ? Invariant($"{reason}; {_silent} runs do not know it") : reason,
        };
}
