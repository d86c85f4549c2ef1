using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Findings;

/// <summary>Which smallest scenarios of one statement are taken for one cause, and which are not.</summary>
[TestFixture]
internal sealed class ScenarioPatternTests
{
    // Another topic with an empty level: what is special may stand in the filter or be taken by its wildcard.
    [TestCase(
        "A connect clean; A publish ~/a/ qos=1 retain; A subscribe ~/+/:1",
        "A connect clean; A publish /~ qos=1 retain; A subscribe +/~:1"
    )]
    [TestCase(
        "A connect clean; A publish ~/a/ qos=1 retain; A subscribe ~/a/:0; A subscribe ~/a/:1",
        "A connect clean; A publish /~ qos=2 retain; A subscribe +/~:0; A subscribe +/~:2"
    )]
    // The earlier one has all that the later one needs, and something special on top.
    [TestCase(
        "A connect clean; A publish ~/a//b qos=0 retain; A subscribe /#:0",
        "A connect clean; A publish ~/a qos=0 retain; A subscribe /#:0"
    )]
    // At once is in either order.
    [TestCase(
        "A connect clean; A publish ~//a qos=0 retain; A subscribe /#:0",
        "A connect clean; B connect clean; B subscribe /#:2; & A publish ~//a qos=0 retain"
    )]
    // What a client keeps of its session does not matter where the same comes without.
    [TestCase(
        "A connect clean; A subscribe ~/a:1; B connect resume will=~/a:2; B unsubscribe ~/a; B drop",
        "A connect clean; A subscribe ~/a:1; B connect clean will=~/a:1; B unsubscribe ~/a; B drop"
    )]
    [TestCase(
        "A connect clean; A subscribe ~/a:1; A publish ~/a qos=2",
        "A connect clean; A subscribe ~/a:1; A hold; A publish ~/a qos=1"
    )]
    public void One_cause(string earlier, string later)
    {
        Assert.That(ScenarioPattern.HaveOneCause(Parse(earlier), Parse(later), Statements.RetainSent), Is.True);
        Assert.That(
            ScenarioPattern.HaveOneCause(
                Parse(earlier) with
                {
                    Version = ProtocolVersion.V5,
                },
                Parse(later),
                Statements.RetainSent
            ),
            Is.True,
            "whatever the version"
        );
    }

    // An empty level is not a special character, nor anything that a plain topic shows; who has shown it for a plain
    // one has shown it for both.
    [TestCase(
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=1 retain; A subscribe ~/+:1",
        "A connect clean; A publish ~/a/ qos=1 retain; A subscribe ~/+/:1"
    )]
    [TestCase(
        "A connect clean; A publish ~/a/ qos=1 retain; A subscribe ~/+/:1",
        "A connect clean; A publish ~/* qos=1 retain; A subscribe ~/+:1"
    )]
    // In sequence the order counts.
    [TestCase(
        "A connect clean; A publish ~//a qos=0 retain; A subscribe /#:0",
        "A connect clean; B connect clean; B subscribe /#:2; A publish ~//a qos=0 retain"
    )]
    // The later one does without what the earlier one needed, but at another quality of service.
    [TestCase(
        "A connect clean; A subscribe ~/a:1; B connect clean; B unsubscribe ~/a; B publish ~/a qos=1",
        "A connect clean; A subscribe ~/a:1; A publish ~/a qos=2"
    )]
    // Who unsubscribes is not who subscribed.
    [TestCase(
        "A connect clean; A subscribe ~/a:1; B connect clean; B unsubscribe ~/a; B hold",
        "A connect clean; A subscribe ~/a:1; A unsubscribe ~/a; A drop"
    )]
    public void Different_causes(string earlier, string later) =>
        Assert.That(ScenarioPattern.HaveOneCause(Parse(earlier), Parse(later), Statements.RetainSent), Is.False);

    [Test]
    public void A_statement_about_qualities_of_service_tells_them_apart()
    {
        var (twice, once) = (
            Parse("A connect clean; A subscribe ~/a:1; A publish ~/a qos=2"),
            Parse("A connect clean; A subscribe ~/a:2; A publish ~/a qos=1")
        );
        Assert.That(ScenarioPattern.HaveOneCause(twice, once, Statements.DeliveryQos), Is.False);
        Assert.That(ScenarioPattern.HaveOneCause(twice, once, Statements.RetainSent), Is.True);
    }

    private static Scenario Parse(string text) => ScenarioText.Parse(text, ProtocolVersion.V311, "test");
}
