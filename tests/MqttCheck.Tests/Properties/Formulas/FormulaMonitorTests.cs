using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clients;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Traces;
using static MqttCheck.Tests.Properties.Formulas.FormulaGenerators;

namespace MqttCheck.Tests.Properties.Formulas;

[TestFixture]
public sealed class FormulaMonitorTests
{
    private static readonly Config s_config = Config.QuickThrowOnFailure.WithMaxTest(1000).WithReplay(7, 9);

    // connect 5 ms, publish 20 ms, publish 60 ms, disconnect 3 ms, each sent 10 ms after the last answer.
    private static readonly TraceMessage[] s_trace =
    [
        Message(MessageKind.Connect, 0, 5),
        Message(MessageKind.Publish, 15, 20),
        Message(MessageKind.Publish, 45, 60),
        Message(MessageKind.Disconnect, 115, 3),
    ];

    [TestCase("G latency < 60.5ms", true)]
    [TestCase("G latency < 60ms", false)]
    [TestCase("G<=2msg latency < 60ms", true)]
    [TestCase("G<=3msg latency < 60ms", false)]
    [TestCase("G latency(connect) < 6ms", true, TestName = "Other_kinds_are_passed_over_by_always")]
    [TestCase("F latency(publish) < 6ms", false, TestName = "Other_kinds_are_passed_over_by_eventually")]
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
    public void Formulas_mean_what_they_say(string text, bool holds) =>
        Assert.That(Of(text, s_trace), Is.EqualTo(holds));

    // The first message is a connect of 5 ms, to which latency(publish) does not apply, nor latency(subscribe) to any.
    [TestCase("latency(publish) < 1us", null)]
    [TestCase("latency(publish) < 1us & latency(subscribe) < 1us", null)]
    [TestCase("latency(publish) < 1us => latency(subscribe) < 1us", null)]
    [TestCase("true & latency(publish) < 1us", null)]
    [TestCase("false & latency(publish) < 1us", null)]
    [TestCase("true => latency(publish) < 1us", null)]
    [TestCase("G latency(subscribe) < 1us", null)]
    [TestCase("F latency(subscribe) < 1us", null)]
    [TestCase("G (true & latency(subscribe) < 1us)", null)]
    [TestCase("true U latency(subscribe) < 1us", null)]
    [TestCase("G<=1msg latency(publish) < 1us", null)]
    [TestCase("G F latency(subscribe) < 1us", null)]
    // Kleene's tables decide inside of G and F; at the first message alone the part that applies does.
    [TestCase("latency < 6ms & latency(publish) < 1us", true)]
    [TestCase("latency < 4ms & latency(publish) < 1us", false)]
    [TestCase("latency < 6ms | latency(publish) < 1us", true)]
    [TestCase("latency < 4ms | latency(publish) < 1us", false)]
    [TestCase("latency(publish) < 1us => latency < 4ms", false)]
    [TestCase("connect => latency(publish) < 1us", false)]
    [TestCase("publish => latency(publish) < 1us", true)]
    [TestCase(
        "G (active > 9 | latency(publish) < 61ms)",
        true,
        TestName = "Or_inside_of_always_passes_over_what_does_not_apply"
    )]
    [TestCase("G (active > 9 | latency(publish) < 60ms)", false)]
    [TestCase(
        "F (latency(publish) > 60.5ms & F<=2msg disconnect)",
        false,
        TestName = "And_inside_of_eventually_asks_the_message_that_it_speaks_of"
    )]
    [TestCase("F (latency(publish) > 59ms & F<=2msg disconnect)", true)]
    [TestCase("G (latency(publish) > 59ms => F<=2msg disconnect)", true)]
    [TestCase(
        "G (connect => F<=34ms latency(publish) < 30ms)",
        false,
        TestName = "A_response_that_does_not_come_is_missing_although_nothing_applied"
    )]
    [TestCase(
        "F latency(subscribe) < 1h & connect",
        false,
        TestName = "Beside_something_judged_nothing_found_is_not_found"
    )]
    [TestCase("G latency(subscribe) < 1us & connect", true)]
    public void Where_nothing_is_judged_a_formula_and_its_negation_say_nothing_and_else_one_is_true(
        string text,
        bool? holds
    )
    {
        Assert.That((Of(text, s_trace), Of($"!({text})", s_trace)), Is.EqualTo((holds, !holds)));
    }

    [Test]
    public void A_monitor_decides_as_soon_as_it_can()
    {
        var monitor = new FormulaMonitor(Parse("G<=3msg latency < 50ms"));
        Assert.That(
            s_trace.Select(message => monitor.Add(message)),
            Is.EqualTo(new[] { MonitorValue.Open, MonitorValue.Open, MonitorValue.False, MonitorValue.False })
        );
        Assert.That(monitor.Count, Is.EqualTo(3), "a decided monitor takes no more messages");
        monitor.Reset();
        Assert.That(monitor.Value, Is.EqualTo(MonitorValue.Open));
        Assert.That(new FormulaMonitor(Parse("F latency > 1ms")).Add(s_trace[0]), Is.EqualTo(MonitorValue.True));
    }

    // The definition, written down once more without any bookkeeping.
    [Test]
    public void The_monitor_agrees_with_the_definition() =>
        Check.One(
            s_config,
            Prop.ForAll(AnyFormula, AnyTrace, (formula, trace) => Of(formula, trace) == Meaning.Of(formula, trace))
        );

    [Test]
    public void What_was_decided_early_stays() =>
        Check.One(
            s_config,
            Prop.ForAll(
                AnyFormula,
                AnyTrace,
                (formula, trace) =>
                {
                    var whole = Judged(formula, trace);
                    var monitor = new FormulaMonitor(formula);
                    foreach (var message in trace)
                        if (monitor.Add(message) is var value and not MonitorValue.Open && value != whole)
                            return false;
                    return monitor.End() == whole;
                }
            )
        );

    [Test]
    public void A_monitor_that_was_reset_is_like_new() =>
        Check.One(
            s_config,
            Prop.ForAll(
                AnyFormula,
                AnyTrace,
                AnyTrace,
                (formula, first, second) =>
                {
                    var monitor = new FormulaMonitor(formula);
                    foreach (var message in first)
                        monitor.Add(message);
                    monitor.End();
                    monitor.Reset();
                    foreach (var message in second)
                        monitor.Add(message);
                    return monitor.End() == Judged(formula, second);
                }
            )
        );

    // The same as answers count it: of all traces of a unit, the shares of 1, of 1 of the negation, and of neither.
    [Test]
    public void The_shares_of_a_formula_of_its_negation_and_of_nothing_said_add_up_to_one() =>
        Check.One(
            s_config,
            Prop.ForAll(
                AnyFormula,
                AnyTrace,
                AnyTrace,
                (formula, first, second) =>
                {
                    TraceUnit unit = new(0, [first, second], ["", ""]);
                    double[] one = unit.Values(TraceProperty.Probability(formula)).Values,
                        negated = unit.Values(TraceProperty.Probability(!formula)).Values;
                    int holds = one.Count(value => value == 1),
                        fails = negated.Count(value => value == 1),
                        nothing = one.Count(double.IsNaN);
                    return holds + fails + nothing == 2 && nothing == negated.Count(double.IsNaN);
                }
            )
        );

    // So many messages decide the formula on every longer trace.
    [Test]
    public void The_number_of_messages_needed_suffices() =>
        Check.One(
            s_config,
            Prop.ForAll(
                AnyFormula,
                AnyTrace,
                (formula, trace) =>
                {
                    if (formula.MessagesNeeded is not { } needed || trace.Length < needed)
                        return true;
                    var monitor = new FormulaMonitor(formula);
                    foreach (var message in trace.Take(needed))
                        monitor.Add(message);
                    return monitor.Value != MonitorValue.Open;
                }
            )
        );

    private static bool? Of(string text, IEnumerable<TraceMessage> trace) => Of(Parse(text), trace);

    private static Formula Parse(string text) => TraceProperty.Parse($"P[ {text} ]").Formula!;

    private static MonitorValue Judged(Formula formula, IEnumerable<TraceMessage> trace)
    {
        var monitor = new FormulaMonitor(formula);
        foreach (var message in trace)
            monitor.Add(message);
        return monitor.End();
    }

    private static bool? Of(Formula formula, IEnumerable<TraceMessage> trace) =>
        Judged(formula, trace) switch
        {
            MonitorValue.True => true,
            MonitorValue.False => false,
            MonitorValue.Nothing => null,
            var other => throw new AssertionException($"{other} at the end of a trace"),
        };
}
