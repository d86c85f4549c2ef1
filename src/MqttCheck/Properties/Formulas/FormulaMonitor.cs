using System.Diagnostics;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties.Formulas;

/// <summary>
/// Watches one trace and says as soon as the messages seen so far decide whether a formula holds on it. The same
/// monitor serves simulated and live traces. Not thread-safe; to be used again after <see cref="Reset"/>.
/// </summary>
public sealed class FormulaMonitor
{
    private readonly TraceBuffer _trace = new();
    private readonly Node _root;

    private readonly bool _asksMessages;

    /// <summary>A monitor.</summary>
    /// <param name="formula">The formula.</param>
    public FormulaMonitor(Formula formula)
    {
        _root = formula.Compile(_trace);
        _asksMessages = FormulaParts.Atoms(formula).Any(atom => atom is not ConstantFormula);
    }

    /// <summary>The value of the formula as far as the messages so far decide it.</summary>
    public MonitorValue Value { get; private set; }

    /// <summary>Messages seen so far.</summary>
    public int Count => _trace.Messages.Count;

    /// <summary>Takes the next message of the trace; ignored when the formula is decided.</summary>
    /// <param name="message">The message, in the order of sending.</param>
    /// <returns>The value after the message.</returns>
    public MonitorValue Add(in TraceMessage message)
    {
        if (Value != MonitorValue.Open)
            return Value;
        _trace.Add(message);
        return Value = Known(_root.At(0));
    }

    /// <summary>
    /// The trace has ended: nothing stays open. On a trace without messages "always" holds and "eventually" does not.
    /// </summary>
    /// <returns>The value of the formula on the whole trace.</returns>
    public MonitorValue End()
    {
        _trace.Ended = true;
        if (Value == MonitorValue.Open)
            Value = Known(_root.At(0));
        return Value;
    }

    /// <summary>Forgets the trace.</summary>
    public void Reset()
    {
        _trace.Clear();
        _root.Reset();
        Value = MonitorValue.Open;
    }

    // A formula of constants alone asks nothing of messages, and is what it is.
    private MonitorValue Known(Judgement value) =>
        value == Judgement.Open ? MonitorValue.Open
        : _asksMessages && (value & Judgement.Judged) == 0 ? MonitorValue.Nothing
        : (value & Judgement.Holds) != 0 ? MonitorValue.True
        : MonitorValue.False;

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
            if (!message.Succeeded)
                counts.Failed[(int)message.Kind]++;
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
                TraceQuantity.Payload => message.PayloadBytes,
                _ => throw new UnreachableException(),
            };
        }

        private static int Total(KindCounts row, MessageKind? kind)
        {
            if (kind is { } one)
                return row[(int)one];
            var sum = 0;
            for (var i = 0; i < MessageKinds.Count; i++)
                sum += row[i];
            return sum;
        }
    }

    private struct Counts
    {
        public KindCounts All,
            Failed;
    }

    /// <summary>The value of a subformula at each message.</summary>
    internal abstract class Node(params Node[] parts)
    {
        public abstract Judgement At(int index);

        public virtual void Reset()
        {
            foreach (var part in parts)
                part.Reset();
        }
    }

    internal sealed class AtomNode(TraceBuffer trace, Func<int, Judgement> value) : Node
    {
        public override Judgement At(int index) =>
            index < trace.Messages.Count ? value(index)
            : trace.Ended ? Judgement.Partial
            : Judgement.Open;
    }

    internal sealed class ConstantNode(Judgement value) : Node
    {
        public override Judgement At(int index) => value;
    }

    internal sealed class NotNode(Node inner) : Node([inner])
    {
        public override Judgement At(int index) => JudgementLogic.Not(inner.At(index));
    }

    internal sealed class AndNode(Node left, Node right) : Node([left, right])
    {
        public override Judgement At(int index)
        {
            var one = left.At(index);
            if (IsSettled(one))
                return one;
            var other = right.At(index);
            return IsSettled(other) ? other
                : one == Judgement.Open || other == Judgement.Open ? Judgement.Open
                : JudgementLogic.And(one, other);
        }

        // A formula that judged messages and is false needs no more messages.
        private static bool IsSettled(Judgement value) => value.IsFalse() && (value & Judgement.Judged) != 0;
    }

    /// <summary>
    /// Temporal operators remember for each message how far they have looked, and whether anything was judged there.
    /// </summary>
    internal abstract class SpanNode(TraceBuffer trace, TraceSpan span, params Node[] parts) : Node(parts)
    {
        private readonly List<(int Next, Judgement Seen, Judgement Value)> _cells = [];

        public override Judgement At(int index)
        {
            while (_cells.Count <= index)
                _cells.Add((_cells.Count, Judgement.Open, Judgement.Open));
            var (next, seen, value) = _cells[index];
            if (value != Judgement.Open)
                return value;
            while (value == Judgement.Open)
            {
                // A span that is over, or a trace that has ended, brings no more messages.
                if (IsOver(index, next))
                {
                    value = Judgement.Fails | seen;
                    break;
                }
                if (next >= trace.Messages.Count)
                    break;
                var here = Here(next);
                if (here == Judgement.Open)
                    break;
                seen |= here & Judgement.Judged;
                if ((here & Judgement.Partial) != 0)
                    next++;
                else
                    value = here | seen;
            }
            _cells[index] = (next, seen, value);
            return value;
        }

        public override void Reset()
        {
            base.Reset();
            _cells.Clear();
        }

        /// <summary>
        /// The contribution of a message: a decision, or <see cref="Judgement.Partial"/> to look further.
        /// </summary>
        protected abstract Judgement Here(int index);

        private bool IsOver(int index, int next) =>
            next - index >= span.MessageCount
            || (
                next >= trace.Messages.Count
                    ? trace.Ended
                    : trace.Messages[next].EndMilliseconds - trace.Messages[index].SentMilliseconds
                        > span.DurationMilliseconds
            );
    }

    internal sealed class EventuallyNode(TraceBuffer trace, Node inner, TraceSpan span) : SpanNode(trace, span, [inner])
    {
        protected override Judgement Here(int index)
        {
            var here = inner.At(index);
            return here == Judgement.Open || here.IsTrue() ? here : Judgement.Partial | (here & Judgement.Judged);
        }
    }

    internal sealed class UntilNode(TraceBuffer trace, Node left, Node goal, TraceSpan span)
        : SpanNode(trace, span, [left, goal])
    {
        protected override Judgement Here(int index)
        {
            var reached = goal.At(index);
            if (reached == Judgement.Open || reached.IsTrue())
                return reached;
            var holds = left.At(index);
            if (holds == Judgement.Open)
                return holds;
            var judged = (reached | holds) & Judgement.Judged;
            return judged | (holds.IsFalse() ? Judgement.Fails : Judgement.Partial);
        }
    }
}
