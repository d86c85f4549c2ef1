using System.Diagnostics;
using MqttCheck.Clients;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Language;

namespace MqttCheck.Properties.Traces;

/// <summary>One number of a whole trace, for example the largest latency of its publications.</summary>
public sealed record TraceMeasure
{
    internal static readonly string[] AggregateNames = ["max", "min", "mean", "sum", "last"];

    /// <summary>A measure.</summary>
    /// <param name="aggregate">How the numbers of the messages become one.</param>
    /// <param name="quantity">The number of a message.</param>
    /// <param name="kind">The kind of message that it is about; null for all.</param>
    /// <exception cref="InputException">The quantity has no kind.</exception>
    public TraceMeasure(TraceAggregate aggregate, TraceQuantity quantity, MessageKind? kind = null)
    {
        if (kind is not null && !PropertyText.HasKind(quantity))
            throw new InputException(
                $"property: {PropertyText.Name(quantity)} has no message "
                    + $"kind; allowed: {PropertyText.Name(quantity)} alone."
            );
        (Aggregate, Quantity, Kind) = (aggregate, quantity, kind);
    }

    /// <summary>How the numbers of the messages become one.</summary>
    public TraceAggregate Aggregate { get; }

    /// <summary>The number of a message.</summary>
    public TraceQuantity Quantity { get; }

    /// <summary>The kind of message that it is about; null for all.</summary>
    public MessageKind? Kind { get; }

    /// <summary>Whether values are milliseconds.</summary>
    public bool IsDuration => PropertyText.IsDuration(Quantity);

    /// <summary>
    /// The value of a trace: infinite when a failed message has an infinite latency, NaN when the trace has no message
    /// that it is about.
    /// </summary>
    /// <param name="trace">The messages in the order of sending.</param>
    public double Of(IReadOnlyList<TraceMessage> trace)
    {
        var buffer = new FormulaMonitor.TraceBuffer();
        var values = new List<double>(trace.Count);
        for (var i = 0; i < trace.Count; i++)
        {
            buffer.Add(trace[i]);
            if (buffer.Quantity(i, Quantity, Kind) is var value && !double.IsNaN(value))
                values.Add(value);
        }
        if (values.Count == 0)
            return double.NaN;
        return Aggregate switch
        {
            TraceAggregate.Max => values.Max(),
            TraceAggregate.Min => values.Min(),
            TraceAggregate.Mean => values.Sum() / values.Count,
            TraceAggregate.Sum => values.Sum(),
            TraceAggregate.Last => values[^1],
            _ => throw new UnreachableException(),
        };
    }

    /// <summary>
    /// The text that <see cref="TraceProperty.Parse"/> reads, for example <c>max latency(publish)</c>.
    /// </summary>
    public override string ToString() =>
        $"{AggregateNames[(int)Aggregate]} {PropertyText.Name(Quantity)}{(Kind is { } kind ? $"({kind.Name()})" : "")}";
}
