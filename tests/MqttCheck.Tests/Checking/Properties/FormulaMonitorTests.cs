using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Checking.Properties;
using MqttCheck.Clients;
using static MqttCheck.Tests.Checking.Properties.FormulaGenerators;

namespace MqttCheck.Tests.Checking.Properties;

[TestFixture]
public sealed class FormulaMonitorTests
{
    private static readonly Config s_config = Config.QuickThrowOnFailure.WithMaxTest(1000).WithReplay(7, 9);

    // connect 5 ms, publish 20 ms, publish 60 ms, disconnect 3 ms, each sent 10 ms after the last answer.
    private static readonly TraceMessage[] s_trace =
    [
        Message(MessageKind.Connect, 0, 5), Message(MessageKind.Publish, 15, 20), Message(MessageKind.Publish, 45, 60), Message(MessageKind.Disconnect, 115, 3),
    ];

    [TestCase("G latency < 60.5ms", true)]
    [TestCase("G latency < 60ms", false)]
    [TestCase("G<=2msg latency < 60ms", true)]
    [TestCase("G<=3msg latency < 60ms", false)]
    [TestCase("G latency(connect) < 6ms", true, TestName = "Other_kinds_are_passed_over_by_always")]
    [TestCase("F latency(subscribe) < 6ms", false, TestName = "Other_kinds_are_passed_over_by_eventually")]
    [TestCase("F latency(publish) >= 60ms", true)]
    [TestCase("!G latency(publish) < 60ms", true)]
    [TestCase("G<=35ms latency < 20ms", false, TestName = "An_answer_at_the_end_of_a_span_of_time_is_in_it")]
    [TestCase("G<=34ms latency < 20ms", true)]
    [TestCase("F<=118ms disconnect", true)]
    [TestCase("F<=117ms disconnect", false)]
    [TestCase("G (connect => F<=40ms publish)", true, TestName = "Response_within")]
    [TestCase("G (connect => F<=30ms publish)", false)]
    [TestCase("G (publish => F<=110ms disconnect)", true)]
    [TestCase("G (publish => F<=100ms disconnect)", false)]
    [TestCase("(latency < 30ms) U latency > 50ms", true)]
    [TestCase("(latency < 20ms) U latency > 50ms", false)]
    [TestCase("true U<=2msg latency > 50ms", false)]
    [TestCase("F<=118ms count >= 4", true, TestName = "Deadline")]
    [TestCase("F<=117ms count >= 4", false)]
    [TestCase("F (count(publish) = 2 & elapsed < 106ms)", true)]
    [TestCase("G failures = 0", true)]
    [TestCase("F (publish & F<=2msg disconnect)", true)]
    [TestCase("F (connect & F<=2msg disconnect)", false)]
    [TestCase("latency(publish) < 1ms", true, TestName = "A_comparison_that_does_not_apply_does_not_fail")]
    public void Formulas_mean_what_they_say(string text, bool holds) =>
        Assert.That(FormulaMonitor.Holds(TraceProperty.ParseFormula(text), s_trace), Is.EqualTo(holds));

    [Test]
    public void A_failed_message_is_slow_for_every_threshold()
    {
        TraceMessage[] trace = [Message(MessageKind.Connect, 0, 5), Message(MessageKind.Publish, 10, 1, fails: true)];
        Assert.That(FormulaMonitor.Holds(TraceProperty.ParseFormula("G latency(publish) < 1h"), trace), Is.False);
        Assert.That(FormulaMonitor.Holds(TraceProperty.ParseFormula("F (failed & publish)"), trace), Is.True);
        Assert.That(FormulaMonitor.Holds(TraceProperty.ParseFormula("F failures(publish) = 1"), trace), Is.True);
    }

    [Test]
    public void On_an_empty_trace_always_holds_and_eventually_does_not()
    {
        Assert.That(FormulaMonitor.Holds(TraceProperty.ParseFormula("G false"), []), Is.True);
        Assert.That(FormulaMonitor.Holds(TraceProperty.ParseFormula("F true"), []), Is.False);
    }

    [Test]
    public void A_monitor_decides_as_soon_as_it_can()
    {
        var monitor = new FormulaMonitor(TraceProperty.ParseFormula("G<=3msg latency < 50ms"));
        Assert.That(s_trace.Select(message => monitor.Add(message)), Is.EqualTo(new[] { MonitorValue.Open, MonitorValue.Open, MonitorValue.False, MonitorValue.False }));
        Assert.That(monitor.Count, Is.EqualTo(3), "a decided monitor takes no more messages");
        monitor.Reset();
        Assert.That(monitor.Value, Is.EqualTo(MonitorValue.Open));
        Assert.That(new FormulaMonitor(TraceProperty.ParseFormula("F latency > 1ms")).Add(s_trace[0]), Is.EqualTo(MonitorValue.True));
    }

    // The definition, written down once more without any bookkeeping.
    [Test]
    public void The_monitor_agrees_with_the_definition() =>
        Check.One(s_config, Prop.ForAll(Formulas, Traces, (formula, trace) => FormulaMonitor.Holds(formula, trace) == (Meaning.Of(formula, trace, 0) ?? true)));

    [Test]
    public void What_was_decided_early_stays() =>
        Check.One(s_config, Prop.ForAll(Formulas, Traces, (formula, trace) =>
        {
            var whole = FormulaMonitor.Holds(formula, trace);
            var monitor = new FormulaMonitor(formula);
            foreach (var message in trace)
                if (monitor.Add(message) is var value and not MonitorValue.Open && value != MonitorValue.False != whole) return false;
            return monitor.End() == whole;
        }));

    [Test]
    public void A_monitor_that_was_reset_is_like_new() =>
        Check.One(s_config, Prop.ForAll(Formulas, Traces, Traces, (formula, first, second) =>
        {
            var monitor = new FormulaMonitor(formula);
            foreach (var message in first) monitor.Add(message);
            monitor.End();
            monitor.Reset();
            foreach (var message in second) monitor.Add(message);
            return monitor.End() == FormulaMonitor.Holds(formula, second);
        }));

    [Test]
    public void Laws_of_logic_hold() =>
        Check.One(s_config, Prop.ForAll(Formulas, Traces, (formula, trace) =>
            FormulaMonitor.Holds(!Formula.Always(formula), trace) == FormulaMonitor.Holds(Formula.Eventually(!formula), trace)
            && FormulaMonitor.Holds(!!formula, trace) == FormulaMonitor.Holds(formula, trace)
            && FormulaMonitor.Holds(Formula.Until(Formula.Constant(true), formula, TraceSpan.Messages(3)), trace) == FormulaMonitor.Holds(Formula.Eventually(formula, TraceSpan.Messages(3)), trace)));

    // So many messages decide the formula on every longer trace.
    [Test]
    public void The_number_of_messages_needed_suffices() =>
        Check.One(s_config, Prop.ForAll(Formulas, Traces, (formula, trace) =>
        {
            if (formula.MessagesNeeded is not { } needed || trace.Length < needed) return true;
            var monitor = new FormulaMonitor(formula);
            foreach (var message in trace.Take(needed)) monitor.Add(message);
            return monitor.Value != MonitorValue.Open;
        }));
}
