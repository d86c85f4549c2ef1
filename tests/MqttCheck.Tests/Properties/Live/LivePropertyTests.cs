using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Properties.Traces;
using MqttCheck.Tests.Simulation;
using QualityOfService = MqttCheck.Protocol.QualityOfService;

namespace MqttCheck.Tests.Properties.Live;

[TestFixture]
internal sealed class LivePropertyTests
{
    private static readonly Population s_up1 = Population.Of(TestProfiles.Up1);

    private static LiveProperty Of(string text, Population? population = null) =>
        LiveProperty.Of(TraceProperty.Parse(text), population ?? s_up1);

    [TestCase("P>=0.99[ G latency(publish) < 50ms ]", .99, "G latency(publish) < 50ms")]
    [TestCase("P<=0.05[ F failed ]", .95, "!F failed")]
    [TestCase("Q0.95[ max latency ] < 50ms", .95, "max latency < 50ms")]
    [TestCase("Q0.9[ max latency(publish) ] <= 50ms", .9, "max latency(publish) <= 50ms")]
    [TestCase("Q0.05[ min latency ] > 1ms", .95, "min latency > 1ms")]
    [TestCase("Q0.1[ last count(publish) ] >= 2", .9, "last count(publish) >= 2")]
    // Whether a count can be below zero is not asked of each formula.
    [TestCase("P>=0.9[ G (connect => count >= 0) ]", .9, "G (connect => count >= 0)")]
    public void A_property_is_turned_into_the_probability_that_it_means(string text, double probability, string meaning)
    {
        var property = Of(text);
        Assert.That((property.Probability, property.Meaning), Is.EqualTo((probability, meaning)));
        Assert.That(property.Requirement(.05, .02).Validate("test"), Is.Empty);
    }

    [TestCase(
        "P[ G latency < 50ms ]",
        "asks for a value; allowed live: a number to compare it with, such as 'P>=0.95[ G latency < 50ms ]'"
    )]
    [TestCase("Q0.95[ max latency ]", "asks for a value; allowed live: a bound, such as 'Q0.95[ max latency ] < 50ms'")]
    [TestCase("E[ max latency ]", "cannot be tested live")]
    [TestCase(
        "E[ max latency ] < 50ms",
        "cannot be tested live with a stated error, because one slow "
            + "message may be worth any number of fast ones; allowed: a quantile"
    )]
    [TestCase("D[ max latency ]", "asks for a whole distribution")]
    [TestCase(
        "P>=0.99[ latency(publish) < 1us ]",
        "says nothing about any trace: 'latency(publish) < 0.001ms' is asked of the first message "
            + "of a trace alone, which is always a connect; allowed: 'G latency(publish) < 0.001ms'"
    )]
    [TestCase("P>=0.9[ true ]", "cannot be violated by any trace")]
    [TestCase("P>=0.9[ F false ]", "holds on no trace")]
    public void What_cannot_be_tested_is_refused_by_name_with_the_reason(string text, string reason) =>
        Assert.That(
            () => Of(text),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains($"property '{TraceProperty.Parse(text)}'")
                .And.Message.Contains(reason)
        );

    [Test]
    public void Acknowledgements_are_refused_where_publications_have_none()
    {
        var silent = Population.Of(TestProfiles.Up1 with { Qos = QualityOfService.AtMostOnce });
        WrongValue.AssertRefused(
            ("publishes with QoS 0", () => Of("P>=0.9[ G acknowledgement < 50ms ]", silent)),
            ("publishes with QoS 0", () => Of("Q0.9[ max acknowledgement(publish) ] < 50ms", silent))
        );
        Assert.That(Of("P>=0.9[ G acknowledgement(subscribe) < 50ms ]", silent).Probability, Is.EqualTo(.9));
        Assert.That(Of("P>=0.9[ G acknowledgement < 50ms ]").Probability, Is.EqualTo(.9));
    }

    // Six clients: publications of 10, 20 and 60 ms, a failed one, none at all, and a subscription of 70 ms.
    [TestCase("P>=0.9[ G latency(publish) < 50ms ]", 2, 2)]
    [TestCase("P<=0.1[ F latency(publish) >= 50ms ]", 2, 2)]
    [TestCase("P>=0.9[ G latency < 50ms ]", 3, 0)]
    [TestCase("Q0.9[ max latency(publish) ] < 50ms", 2, 2)]
    [TestCase("Q0.9[ max latency(publish) ] > 15ms", 3, 2)]
    [TestCase("P>=0.9[ F failed ]", 1, 0)]
    public void Traces_fulfil_it_or_not_or_it_says_nothing_about_them(string text, int fulfilling, int silent)
    {
        var run = Of(text)
            .Judge(
                LiveExchanges.Run(
                    [(MessageKind.Publish, 10)],
                    [(MessageKind.Publish, 20)],
                    [(MessageKind.Publish, 60)],
                    [(MessageKind.Publish, double.PositiveInfinity)],
                    [(MessageKind.Disconnect, 1)],
                    [(MessageKind.Subscribe, 70)]
                )
            );
        Assert.That(
            (run.Fulfilling, run.Silent, run.Traces, run.Count.Samples),
            Is.EqualTo((fulfilling, silent, 6, 6 - silent))
        );
    }

    // Ten messages make a sequence, so fifteen take two; the second sequence of client 1 is missing.
    [Test]
    public void A_formula_that_looks_farther_than_a_sequence_takes_several()
    {
        var property = Of("P>=0.9[ F<=15msg latency > 50ms ]");
        Assert.That(property.SequencesPerTrace, Is.EqualTo(2));
        var exchanges = Enumerable
            .Range(0, 30)
            .Select(i =>
                LiveExchanges.Of(
                    client: i < 20 ? 0 : 1,
                    sequence: 1 + i / 10 % 2,
                    i,
                    i % 10 == 0 ? MessageKind.Connect : MessageKind.Publish,
                    i == 13 ? 60 : 1
                )
            );
        Assert.That(property.Judge(exchanges) is { Fulfilling: 1, Traces: 1 }, Is.True);
    }
}
