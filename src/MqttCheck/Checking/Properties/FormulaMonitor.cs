using MqttCheck.Clients;

namespace MqttCheck.Checking.Properties;

/// <summary>
/// Watches one trace and says as soon as the messages seen so far decide whether a formula holds on it. The same monitor serves simulated and live traces. Not thread-safe; to be used again after
/// <see cref="Reset"/>.
/// </summary>
public sealed class FormulaMonitor
{
    private readonly TraceBuffer _trace = new();
    private readonly Node _root;

    /// <summary>A monitor.</summary>
    /// <param name="formula">The formula.</param>
    public FormulaMonitor(Formula formula)
    {
        ArgumentNullException.ThrowIfNull(formula);
        _root = formula.Compile(_trace);
    }

    /// <summary>What is known so far.</summary>
    public MonitorValue Value { get; private set; }

    /// <summary>Messages seen so far.</summary>
    public int Count => _trace.Messages.Count;

    /// <summary>Takes the next message of the trace; ignored when the formula is decided.</summary>
    /// <param name="message">The message, in the order of sending.</param>
    /// <returns>What is known now.</returns>
    public MonitorValue Add(in TraceMessage message)
    {
        if (Value != MonitorValue.Open) return Value;
        _trace.Add(message);
        return Value = _root.At(0);
    }

    /// <summary>The trace has ended: nothing stays open. On a trace without messages "always" holds and comparisons say nothing.</summary>
    /// <returns>Whether the formula holds on the trace.</returns>
    public bool End()
    {
        _trace.Ended = true;
        if (Value == MonitorValue.Open) Value = _root.At(0);
        return Value != MonitorValue.False;
    }

    /// <summary>Whether a formula holds on a whole trace.</summary>
    /// <param name="formula">The formula.</param>
    /// <param name="trace">The messages in the order of sending.</param>
    public static bool Holds(Formula formula, IEnumerable<TraceMessage> trace)
    {
        ArgumentNullException.ThrowIfNull(trace);
        var monitor = new FormulaMonitor(formula);
        foreach (var message in trace) monitor.Add(message);
        return monitor.End();
    }

    /// <summary>Forgets the trace.</summary>
    public void Reset()
    {
        _trace.Clear();
        _root.Reset();
        Value = MonitorValue.Open;
    }

    /// <summary>The messages of the trace, and the counts up to each.</summary>
    internal sealed class TraceBuffer
    {
        private readonly List<Counts> _counts = [];

        public List<TraceMessage> Messages { get; } = [];

        public bool Ended { get; set; }

        public void Add(in TraceMessage message)
        {
            var counts = _counts.Count == 0 ? default : _counts[^1];
            counts.All[(int)message.Kind]++;
            if (!message.Succeeded) counts.Failed[(int)message.Kind]++;
            Messages.Add(message);
            _counts.Add(counts);
        }

        public void Clear()
        {
            Messages.Clear();
            _counts.Clear();
            Ended = false;
        }

        /// <summary>NaN where the quantity does not apply.</summary>
        public double Quantity(int index, TraceQuantity quantity, MessageKind? kind)
        {
            var message = Messages[index];
            var applies = kind is null || message.Kind == kind;
            return quantity switch
            {
                TraceQuantity.Latency => applies ? message.LatencyMilliseconds : double.NaN,
                TraceQuantity.Acknowledgement => applies ? message.AcknowledgementMilliseconds : double.NaN,
                TraceQuantity.Elapsed => message.EndMilliseconds - Messages[0].SentMilliseconds,
                TraceQuantity.Count => Total(_counts[index].All, kind),
                TraceQuantity.Failures => Total(_counts[index].Failed, kind),
                TraceQuantity.Active => message.Active,
                TraceQuantity.Subscribers => message.Subscribers,
                _ => message.PayloadBytes,
            };
        }

        private static int Total(KindRow row, MessageKind? kind)
        {
            if (kind is { } one) return row[(int)one];
            var sum = 0;
            for (var i = 0; i < MessageKinds.Count; i++) sum += row[i];
            return sum;
        }
    }

    [System.Runtime.CompilerServices.InlineArray(MessageKinds.Count)]
    private struct KindRow
    {
        private int _first;
    }

    private struct Counts
    {
        public KindRow All, Failed;
    }

    /// <summary>The value of a subformula at each message.</summary>
    internal abstract class Node
    {
        public abstract MonitorValue At(int index);

        public abstract void Reset();
    }

    internal sealed class AtomNode(TraceBuffer trace, Func<int, MonitorValue> value) : Node
    {
        public override MonitorValue At(int index) =>
            index < trace.Messages.Count ? value(index) : trace.Ended ? MonitorValue.Skip : MonitorValue.Open;

        public override void Reset() { }
    }

    internal sealed class NotNode(Node inner) : Node
    {
        public override MonitorValue At(int index) => inner.At(index) switch
        {
            MonitorValue.True => MonitorValue.False,
            MonitorValue.False => MonitorValue.True,
            var other => other,
        };

        public override void Reset() => inner.Reset();
    }

    internal sealed class AndNode(Node left, Node right) : Node
    {
        public override MonitorValue At(int index)
        {
            var one = left.At(index);
            if (one == MonitorValue.False) return one;
            var other = right.At(index);
            return other == MonitorValue.False ? other
                : one == MonitorValue.Open || other == MonitorValue.Open ? MonitorValue.Open
                : one == MonitorValue.Skip ? one : other;
        }

        public override void Reset()
        {
            left.Reset();
            right.Reset();
        }
    }

    /// <summary>Temporal operators remember for each message how far they have looked.</summary>
    internal abstract class SpanNode(TraceBuffer trace, TraceSpan span) : Node
    {
        private readonly List<(int Next, MonitorValue Value)> _cells = [];

        public override MonitorValue At(int index)
        {
            while (_cells.Count <= index) _cells.Add((_cells.Count, MonitorValue.Open));
            var (next, value) = _cells[index];
            if (value != MonitorValue.Open) return value;
            while (value == MonitorValue.Open)
            {
                // Of a span that is over, or a trace that has ended, nothing more is to come.
                if (next - index >= span.MessageCount || (next >= trace.Messages.Count && trace.Ended)) value = MonitorValue.False;
                else if (next >= trace.Messages.Count) break;
                else if (trace.Messages[next].EndMilliseconds - trace.Messages[index].SentMilliseconds > span.DurationMilliseconds) value = MonitorValue.False;
                else
                {
                    var here = Here(next);
                    if (here == MonitorValue.Open) break;
                    if (here == MonitorValue.Skip) next++;
                    else value = here;
                }
            }
            _cells[index] = (next, value);
            return value;
        }

        public override void Reset() => _cells.Clear();

        /// <summary>What a message contributes: a decision, or <see cref="MonitorValue.Skip"/> to look further.</summary>
        protected abstract MonitorValue Here(int index);
    }

    internal sealed class EventuallyNode(TraceBuffer trace, Node inner, TraceSpan span) : SpanNode(trace, span)
    {
        public override void Reset()
        {
            base.Reset();
            inner.Reset();
        }

        protected override MonitorValue Here(int index) => inner.At(index) switch
        {
            MonitorValue.False => MonitorValue.Skip,
            var other => other,
        };
    }

    internal sealed class UntilNode(TraceBuffer trace, Node left, Node goal, TraceSpan span) : SpanNode(trace, span)
    {
        public override void Reset()
        {
            base.Reset();
            left.Reset();
            goal.Reset();
        }

        protected override MonitorValue Here(int index)
        {
            var reached = goal.At(index);
            if (reached is MonitorValue.True or MonitorValue.Open) return reached;
            var holds = left.At(index);
            return holds is MonitorValue.False or MonitorValue.Open ? holds : MonitorValue.Skip;
        }
    }
}
