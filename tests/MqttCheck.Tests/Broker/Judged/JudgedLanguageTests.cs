using System.Globalization;
using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using static MqttCheck.Broker.Faults.BrokerMutant;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Judged;

/// <summary>
/// Faults that only some words of the language of scenarios bring about, as the conformance check judges them.
/// </summary>
[TestFixture]
internal sealed class JudgedLanguageTests
{
    private static readonly string s_longTopic = "~/" + new string('t', 300);

    private static IEnumerable<TestCaseData> Cases() =>
        [
            Case(
                RefusedResent,
                V5,
                "refused-not-resent",
                "A connect resume expiry=9; A subscribe ~/a:1; A answer reason=128; A publish ~/a qos=1; A ping; "
                    + "A drop; A connect resume expiry=9"
            ),
            Case(
                RefusedResent,
                V5,
                "refused-not-resent",
                "A connect resume expiry=9; A subscribe ~/a:2; A answer reason=151; A publish ~/a qos=2; A ping; "
                    + "A drop; A connect resume expiry=9"
            ),
            Case(
                RefusalReleased,
                V5,
                "refusal-ends-exchange",
                "A connect clean; A subscribe ~/a:2; A answer reason=131; A publish ~/a qos=2"
            ),
            Case(ProblemInformationAlways, V5, "problem-information", "A connect clean problem=0; A subscribe ~/a:0"),
            Case(ProblemInformationAlways, V5, "problem-information", "A connect clean problem=0; A unsubscribe ~/a"),
            Case(
                WillExpiryDropped,
                V5,
                "message-expiry",
                "A connect clean will=~/a:1 will-expiry=1000; B connect clean; B subscribe ~/a:1; A drop"
            ),
            Case(
                IdentifierCaseIgnored,
                V5,
                "identifiers-differ",
                "A connect clean client-id=case; B connect clean client-id=case"
            ),
            Case(
                IdentifierCut,
                V311,
                "identifiers-differ",
                "A connect clean client-id=long; B connect clean client-id=long; B ping"
            ),
            Case(
                LongAckFails,
                V5,
                "connection-kept",
                "A connect clean; A subscribe ~/a:2; A answer long; B connect clean; B publish ~/a qos=2"
            ),
            Case(RequestPropertiesFail, V5, "suback", "A connect clean; A subscribe ~/a:0 user-properties"),
            Case(RequestPropertiesFail, V5, "unsuback", "A connect clean; A unsubscribe ~/a user-properties"),
            Case(
                WillLostOnErrorTold,
                V5,
                "will-published",
                "A connect clean will=~/a:1; B connect clean; B subscribe ~/a:1; A disconnect reason=128"
            ),
            Case(PiecesFail, V311, "pingresp", "A connect clean; A ping split=1"),
            Case(
                EightPacketsAtOnce,
                V311,
                "pingresp",
                "A connect clean; " + string.Concat(Enumerable.Repeat("A ping with-next; ", 9)) + "A ping"
            ),
            Case(
                IdentifierOf14Bits,
                V5,
                "subscription-identifiers",
                "A connect clean; A subscribe ~/a:0 id=20000; A publish ~/a qos=0"
            ),
            Case(
                LongTopicLost,
                V311,
                "delivered",
                $"A connect clean; A subscribe {s_longTopic}:1; A publish {s_longTopic} qos=1"
            ),
            Case(
                LargePayloadCut,
                V311,
                "payload",
                "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1 size=70000"
            ),
            Case(
                LeadingMarkStripped,
                V311,
                "delivered",
                "A connect clean; A subscribe \uFEFF~/a:1; A publish \uFEFF~/a qos=1"
            ),
            Case(
                TrailingBlankStripped,
                V311,
                "delivered",
                "A connect clean; A subscribe ~/a%20:1; A publish ~/a%20 qos=1"
            ),
            Case(
                PropertiesKeepFrom311,
                V5,
                "delivered",
                "A connect clean; B connect clean version=3.1.1; B subscribe ~/a:1; A publish ~/a qos=1 properties"
            ),
            Case(
                SubscriptionLostAt257,
                V311,
                "delivered",
                $"A connect clean; A subscribe {Filters(0, 130)}; A subscribe {Filters(130, 130)}; "
                    + "A publish ~/256 qos=1"
            ),
        ];

    [TestCaseSource(nameof(Cases))]
    public void A_core_that_breaks_a_rule_is_seen_and_the_core_as_it_is_is_not(
        BrokerMutant mutant,
        ProtocolVersion version,
        string statement,
        string steps
    )
    {
        Assert.That(JudgedBroker.Broken(steps, version, mutant), Does.Contain(statement));
        Assert.That(JudgedBroker.Broken(steps, version), Is.Empty);
    }

    // Every word that a broker must bear, each alone.
    [TestCase("A connect clean response=1 problem=1 user-properties")]
    [TestCase(
        "A connect clean; A subscribe ~/a:2; " + "A answer long reason-string user-properties; A publish ~/a qos=2"
    )]
    [TestCase(
        "A connect clean; A subscribe ~/a:2; " + "A answer reason=144 long; A publish ~/a qos=1; A publish ~/a qos=2"
    )]
    [TestCase(
        "A connect clean window=1; A subscribe ~/a:2; A answer reason=128; A publish ~/a qos=2; A publish ~/a qos=2"
    )]
    [TestCase("A connect clean; A disconnect long reason-string user-properties")]
    [TestCase(
        "A connect resume expiry=9 split=1; " + "A subscribe ~/a:1 split=2; A publish ~/a qos=1 split=3 size=200"
    )]
    [TestCase(
        "A connect clean with-next; A subscribe ~/a:1 with-next; " + "A publish ~/a qos=1 with-next; A disconnect"
    )]
    [TestCase(
        "A connect clean client-id=case; B connect clean client-id=case; " + "B subscribe ~/a:1; A publish ~/a qos=1"
    )]
    [TestCase(
        "A connect clean version=3.1.1; B connect clean; A subscribe $share/g/~/a:1; B publish ~/a qos=1 alias=1"
    )]
    [TestCase(
        "A connect resume version=3.1.1; A subscribe ~/a:1; B connect clean; A drop; "
            + "B publish ~/a qos=1; A connect resume"
    )]
    // The will is stored before the SUBSCRIBE that was sent first: it is an answer, with RETAIN.
    [TestCase("A connect resume split=5; & A subscribe ~/a:0; & B connect resume will=~/a:0:retain; & B drop")]
    [TestCase(
        "A connect clean version=3.1.1 will=~/w:1; B connect clean max=200; B subscribe ~/#:1; "
            + "A publish ~/a qos=1 size=900; A drop"
    )]
    public void The_core_bears_all_words(string steps) => Assert.That(JudgedBroker.Broken(steps, V5), Is.Empty);

    // "Where a Packet is too large to send, the Server MUST discard it without sending it and then behave as if it had
    // completed sending that Application Message" (MQTT-3.1.2-25). The PUBREC may not have come.
    [Test]
    public void A_message_that_is_too_large_for_a_new_connection_is_not_owed_again() =>
        The_core_bears_all_words(
            $"A connect resume expiry=1000; A subscribe ~/+:2; A publish ~/{new string('0', 300)} qos=2 cut=publish; "
                + "A malformed payload-format-2; A connect resume max=246"
        );

    private static TestCaseData Case(BrokerMutant mutant, ProtocolVersion version, string statement, string steps) =>
        new(mutant, version, statement, steps);

    private static string Filters(int first, int count) =>
        string.Join(
            ' ',
            Enumerable.Range(first, count).Select(place => string.Create(CultureInfo.InvariantCulture, $"~/{place}:1"))
        );
}
