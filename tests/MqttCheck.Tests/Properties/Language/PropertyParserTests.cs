using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clients;
using MqttCheck.Properties;
using MqttCheck.Properties.Formulas;
using MqttCheck.Properties.Traces;
using MqttCheck.Tests.Properties.Formulas;

namespace MqttCheck.Tests.Properties.Language;

[TestFixture]
public sealed class PropertyParserTests
{
    [Test]
    public void The_property_of_the_method_can_be_read_and_written_in_code()
    {
        var read = TraceProperty.Parse("P[ G<=10msg latency(publish) < 50ms ]");
        Assert.That(
            read,
            Is.EqualTo(
                TraceProperty.Probability(
                    Formula.Always(Formula.LatencyBelow(50, MessageKind.Publish), TraceSpan.Messages(10))
                )
            )
        );
        Assert.That(
            (read.ToString(), read.Formula!.MessagesNeeded),
            Is.EqualTo(("P[ G<=10msg latency(publish) < 50ms ]", 10))
        );
    }

    [TestCase("P>=0.95[F<=2s count>=10]", "P>=0.95[ F<=2000ms count >= 10 ]")]
    [TestCase("P<=.05 [ failed ]", "P<=0.05[ failed ]")]
    [TestCase("E[ max latency(publish) ]", "E[ max latency(publish) ]")]
    [TestCase("E[elapsed]", "E[ last elapsed ]")]
    [TestCase("Q0.99[ mean acknowledgement ]", "Q0.99[ mean acknowledgement ]")]
    [TestCase("D[ count(subscribe) ]", "D[ last count(subscribe) ]")]
    [TestCase(
        "P[ connect & publish | subscribe => failed => true ]",
        "P[ connect & publish | subscribe => failed => true ]"
    )]
    [TestCase("P[ G((publish)U(failed)) ]", "P[ G (publish U failed) ]")]
    [TestCase("P[ G(subscribe => F<=1.5s publish) ]", "P[ G (subscribe => F<=1500ms publish) ]")]
    [TestCase("P[ elapsed<1min&!latency>100us ]", "P[ elapsed < 60000ms & !latency > 0.1ms ]")]
    public void Text_is_read_and_written_in_one_form(string text, string normal)
    {
        Assert.That(
            (TraceProperty.Parse(text).ToString(), TraceProperty.Parse(normal)),
            Is.EqualTo((normal, TraceProperty.Parse(text)))
        );
    }

    [Test]
    public void Every_formula_is_read_back_from_its_text() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(1000).WithReplay(3, 5),
            Prop.ForAll(
                FormulaGenerators.AnyFormula,
                formula => TraceProperty.Parse($"P[ {formula} ]").Formula!.Equals(formula)
            )
        );

    [Test]
    public void Response_and_deadline_are_formulas()
    {
        Assert.That(
            Formula
                .Response(
                    Formula.Is(MessageKind.Subscribe),
                    Formula.Is(MessageKind.Publish),
                    TimeSpan.FromMilliseconds(200)
                )
                .ToString(),
            Is.EqualTo("G (subscribe => F<=200ms publish)")
        );
        Assert.That(Formula.Deadline(10, TimeSpan.FromSeconds(2)).ToString(), Is.EqualTo("F<=2000ms count >= 10"));
    }

    [TestCase(
        "P[ G<=10msg latency(pubish) < 50ms ]",
        "column 21",
        "unknown message 'pubish'",
        "allowed: connect, disconnect, publish, subscribe, unsubscribe"
    )]
    [TestCase("P[ G pubish ]", "column 6", "unknown message or quantity 'pubish'")]
    [TestCase("P[ G latency < 0ms ]", "column 16", "'0ms'", "a positive duration")]
    [TestCase("P[ G latency < -5ms ]", "column 16", "'-'")]
    [TestCase("P[ G latency < 50 ]", "column 16", "'50'", "unit")]
    [TestCase("P[ G latency 50ms ]", "column 14", "a comparison")]
    [TestCase("P[ G latency < 50ms", "column 20", "the end", "']'")]
    [TestCase("P[ G latency < 50ms ] ]", "column 23", "the end, or an operator")]
    [TestCase("P[ ]", "column 4", "']'", "a formula")]
    [TestCase("P>=1.5[ failed ]", "column 4", "'1.5'", "above 0 and below 1")]
    [TestCase("Q[ max latency ]", "column 2", "a probability")]
    [TestCase("R[ failed ]", "column 1", "'R'", "P[ formula ]")]
    [TestCase("", "column 1", "the end", "P[ formula ]")]
    [TestCase("P[ G<=0msg failed ]", "column 7", "'0msg'", "from 1")]
    [TestCase("P[ G<=1.5msg failed ]", "column 7", "'1.5msg'", "whole number")]
    [TestCase("P[ G<=3 failed ]", "column 7", "'3'", "10msg")]
    [TestCase("P[ active(publish) < 3 ]", "column 10", "'('", "active without a message kind")]
    [TestCase("P[ count < 3ms ]", "column 12", "'3ms'", "a number without unit")]
    [TestCase("E[ latency ]", "column 4", "'latency'", "max, min, mean, sum, last before latency")]
    [TestCase("E[ max latence ]", "column 8", "unknown measure 'latence'")]
    [TestCase("P[ latency < 1.2.3ms ]", "column 14", "'1.2.3'", "not a number")]
    [TestCase("P[ a; ]", "column 5", "';'")]
    public void Errors_name_the_place_what_stands_there_and_what_is_allowed(string text, params string[] said)
    {
        var message = Assert.Throws<InputException>(() => TraceProperty.Parse(text, "--property"))!.Message;
        Assert.That(message, Does.StartWith("--property, column "));
        foreach (var part in said)
            Assert.That(message, Does.Contain(part));
    }

    [Test]
    public void Deep_nesting_is_refused_not_overflown() =>
        Assert.That(
            () => TraceProperty.Parse("P[ " + new string('(', 100_000) + "failed"),
            Throws.TypeOf<InputException>().With.Message.Contains("nested")
        );

    [Test]
    public void Values_in_code_are_checked_too()
    {
        WrongValue.AssertRefused(
            ("", () => Formula.LatencyBelow(0)),
            ("", () => Formula.LatencyBelow(double.NaN)),
            ("", () => Formula.Compare(TraceQuantity.Active, MessageKind.Publish, ComparisonOperator.Less, 3))
        );
        Assert.That(() => TraceSpan.Messages(0), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(
            () => TraceSpan.Milliseconds(double.PositiveInfinity),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
        Assert.That(() => TraceProperty.AtLeast(1, Formula.Failed), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }
}
