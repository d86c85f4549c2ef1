using System.Diagnostics;
using System.Globalization;
using MqttCheck.Properties;
using MqttCheck.Properties.Language;

namespace MqttCheck.Clusters.Properties;

/// <summary>A statement about one run, true or false.</summary>
internal abstract record OutcomeFormula
{
    private protected OutcomeFormula() { }

    /// <summary>Whether it holds in a run; null if it asks for what the run does not know.</summary>
    /// <param name="outcome">The run.</param>
    public abstract bool? Holds(ClusterOutcome outcome);

    /// <summary>How far it holds in a run, 0 .. 1: of a statement about messages the share of them.</summary>
    /// <param name="outcome">The run.</param>
    /// <returns>Null if it asks for what the run does not know.</returns>
    public virtual double? ShareOf(ClusterOutcome outcome) => Holds(outcome) is { } holds ? (holds ? 1 : 0) : null;

    /// <summary>Whether it is a statement about each message of a run.</summary>
    public virtual bool IsOfMessages => false;

    /// <summary>The comparisons that it is made of.</summary>
    public abstract IEnumerable<Comparison> Comparisons { get; }

    /// <summary>The measures that it compares.</summary>
    public IEnumerable<ClusterMeasure> Measures => Comparisons.Select(comparison => comparison.Measure);

    /// <summary>A comparison of a measure with a number, in milliseconds for times.</summary>
    internal sealed record Comparison(ClusterMeasure Measure, ComparisonOperator Operator, double Value)
        : OutcomeFormula
    {
        public override IEnumerable<Comparison> Comparisons => [this];

        public override bool? Holds(ClusterOutcome outcome)
        {
            var value = Measure.Of(outcome);
            return double.IsNaN(value) ? null : Compare(value);
        }

        public override bool IsOfMessages => Measure.Quantity.Times is not null;

        public override double? ShareOf(ClusterOutcome outcome)
        {
            if (Measure.Quantity.Times?.Invoke(outcome) is not { } times)
                return base.ShareOf(outcome);
            return times.Count == 0 ? null : (double)times.Count(Compare) / times.Count;
        }

        private bool Compare(double value) =>
            Operator switch
            {
                ComparisonOperator.Less => value < Value,
                ComparisonOperator.AtMost => value <= Value,
                ComparisonOperator.Greater => value > Value,
                ComparisonOperator.AtLeast => value >= Value,
                ComparisonOperator.Equal => value == Value,
                ComparisonOperator.NotEqual => value != Value,
                _ => throw new UnreachableException(),
            };

        public override string ToString() =>
            $"{Measure} {PropertyText.Sign(Operator)} "
            + (
                Measure.Quantity.IsDuration
                    ? PropertyText.Duration(Value)
                    : Value.ToString(CultureInfo.InvariantCulture)
            );
    }

    /// <summary>Both, one of both, or one after the other.</summary>
    internal sealed record Pair(char Sign, OutcomeFormula Left, OutcomeFormula Right) : OutcomeFormula
    {
        public override IEnumerable<Comparison> Comparisons => Left.Comparisons.Concat(Right.Comparisons);

        // Kleene's logic: what is known decides where it can.
        public override bool? Holds(ClusterOutcome outcome) =>
            Sign switch
            {
                '&' => Left.Holds(outcome) & Right.Holds(outcome),
                '|' => Left.Holds(outcome) | Right.Holds(outcome),
                _ => !Left.Holds(outcome) | Right.Holds(outcome),
            };

        public override string ToString() => $"({Left} {(Sign == '>' ? "=>" : Sign)} {Right})";
    }

    /// <summary>The opposite.</summary>
    internal sealed record Opposite(OutcomeFormula Inner) : OutcomeFormula
    {
        public override IEnumerable<Comparison> Comparisons => Inner.Comparisons;

        public override bool? Holds(ClusterOutcome outcome) => !Inner.Holds(outcome);

        public override string ToString() => $"!({Inner})";
    }
}
