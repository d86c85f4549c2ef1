using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using static MqttCheck.Broker.Faults.BrokerMutant;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Judged;

/// <summary>Connections, sessions and wills, as the conformance check judges them in virtual time.</summary>
[TestFixture]
internal sealed class JudgedSessionTests
{
    // Most of these the check found and shrank by itself: benchmark 'mutants seconds=40 seeds=1 findings'.
    [TestCase(ResponseInformationAlways, V5, "response-information", "A connect clean")]
    [TestCase(
        AssignedIdentifierRepeated,
        V5,
        "assigned-identifier-new",
        "A connect clean no-id; B connect clean no-id"
    )]
    [TestCase(SilentTakeOver, V5, "take-over-told", "A connect clean; A connect resume")]
    [TestCase(
        DisconnectExpiryIgnored,
        V5,
        "session-expiry",
        "A connect resume expiry=1000; A disconnect expiry=1; A wait 3500ms; A connect resume expiry=1000"
    )]
    [TestCase(
        DisconnectZeroIgnored,
        V5,
        "session-not-present",
        "A connect resume expiry=1000; A disconnect expiry=0; A connect resume"
    )]
    [TestCase(KeepAliveIgnored, V5, "keep-alive", "A connect clean keepalive=1; B connect clean; B wait 1600ms")]
    [TestCase(
        SilentWithoutWill,
        V311,
        "will-published",
        "A connect resume will=~/a:1 keepalive=2; B connect resume; B subscribe ~/a:2; A wait 3100ms"
    )]
    [TestCase(
        WillDelayAtMostTwo,
        V5,
        "will-delay",
        "A connect clean will=~/a:0 expiry=1000 will-delay=1000; B connect clean; B subscribe ~/a:0 ~/a:0; "
            + "A drop; B wait 3500ms"
    )]
    [TestCase(
        WillDelayIgnored,
        V5,
        "will-delay",
        "A connect clean will=~/a:0:retain expiry=1 will-delay=1; A connect resume; A subscribe ~/a:0"
    )]
    [TestCase(
        WillDelayNotCancelled,
        V5,
        "will-delay",
        "A connect clean will=~/a:0:retain expiry=1 will-delay=1; A connect resume; A subscribe ~/a:0"
    )]
    [TestCase(
        SessionExpiryIgnored,
        V5,
        "session-expiry",
        "A connect clean expiry=1; A drop; A wait 3000ms; A connect resume"
    )]
    [TestCase(ShortSessionEndsAtOnce, V5, "session-present", "A connect clean expiry=1; A connect resume")]
    [TestCase(SessionNeverPresent, V5, "session-present", "A connect resume expiry=1000; A connect resume")]
    [TestCase(
        WillAfterDisconnect,
        V5,
        "will-discarded",
        "A connect clean; B connect resume will=~/a:0; A subscribe ~/a:0; B disconnect"
    )]
    [TestCase(
        WillNotRetained,
        V5,
        "retain-flag-live",
        "A connect clean; B connect clean will=~/a:0:retain; A subscribe ~/a:0:as-published; B connect clean"
    )]
    [TestCase(
        WillLostOnError,
        V311,
        "will-published",
        "A connect clean; A subscribe ~/a:1; B connect resume will=~/a:1; B malformed " + "unsubscribe-without-filter"
    )]
    [TestCase(
        WillLostAtTakeOver,
        V5,
        "will-published",
        "A connect clean will=~/a:2 expiry=4294967295; A subscribe ~/a:1; A connect resume"
    )]
    [TestCase(
        WillLostOnDisconnect,
        V5,
        "will-published",
        "A connect clean; A subscribe ~/a:1; B connect resume will=~/a:1; B disconnect with-will"
    )]
    [TestCase(
        WillPropertiesDropped,
        V5,
        "properties-forwarded",
        "A connect clean; A subscribe ~/a:0; B connect clean will=~/a:0 will-properties; B connect clean"
    )]
    [TestCase(
        WillOutlivesSession,
        V5,
        "will-published",
        "A connect resume expiry=1 will=~/w:1 will-delay=100; B connect clean; B subscribe ~/w:1; A drop; "
            + "B wait 4000ms"
    )]
    [TestCase(
        WillOfEarlierConnection,
        V5,
        "will-discarded",
        "A connect resume will=~/1:2 expiry=1000; B connect clean; B subscribe ~/1:2; A disconnect; A "
            + "connect resume expiry=1000; A drop"
    )]
    [TestCase(NoEndAsZero, V5, "session-present", "A connect clean expiry=4294967295; A connect resume")]
    [TestCase(
        CleanStartKeepsQueue,
        V5,
        "clean-start",
        "A connect clean will=~/a:1 expiry=1000; A subscribe ~/a:1; A disconnect with-will; A connect clean"
    )]
    [TestCase(
        CleanStartKeepsReceived,
        V5,
        "delivered",
        "B connect clean; B subscribe ~/a:2; A connect resume expiry=1000; A publish ~/a qos=2 "
            + "cut=publish; A drop; A connect clean; A publish ~/a qos=2"
    )]
    [TestCase(
        SubscriptionsLostOnResume,
        V5,
        "delivered",
        "A connect clean expiry=1000; A subscribe ~/a:1; A connect resume; B connect clean; B publish ~/a qos=1"
    )]
    [TestCase(
        OptionsLostOnResume,
        V5,
        "retain-flag-live",
        "A connect resume expiry=1000; A subscribe ~/a:0:as-published; A connect resume; A publish ~/a "
            + "qos=0 retain"
    )]
    [TestCase(
        PingIsNoActivity,
        V311,
        "connection-kept",
        "A connect resume keepalive=1; A wait 900ms; A ping; A wait 900ms"
    )]
    [TestCase(DisconnectTold311, V311, "server-disconnect", "A connect clean; A connect clean")]
    [TestCase(
        ExpiryFromConnect,
        V5,
        "no-matching-subscribers",
        "A connect resume expiry=1; A subscribe ~/a:1; B connect clean; B wait 1600ms; B publish ~/a qos=1"
    )]
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
}
