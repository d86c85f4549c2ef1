using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using static MqttCheck.Broker.Faults.BrokerMutant;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Judged;

/// <summary>Messages on their way, as the conformance check judges them in virtual time.</summary>
[TestFixture]
internal sealed class JudgedMessageTests
{
    // Most of these the check found and shrank by itself: benchmark 'mutants seconds=40 seeds=1 findings'.
    [TestCase(
        DupAfterAbsence,
        V5,
        "dup-not-copied",
        "A connect resume expiry=1000; A subscribe ~/a:1; A disconnect; B connect clean; B publish ~/a "
            + "qos=1; A connect resume"
    )]
    [TestCase(
        DupBehindWindow,
        V5,
        "dup-not-copied",
        "A connect resume window=2; A subscribe ~/a:1; A publish ~/a qos=1; & A publish ~/a qos=1; & A "
            + "publish ~/a qos=1"
    )]
    [TestCase(
        ExpiredHeadSent,
        V5,
        "expired",
        "A connect resume expiry=1000; A subscribe ~/a:1; A drop; B connect clean; B publish ~/a qos=1 "
            + "expiry=1; B publish ~/a qos=1; B wait 3500ms; A connect resume expiry=1000"
    )]
    [TestCase(
        ExpiredQueueSent,
        V5,
        "expired",
        "A connect resume expiry=1000; A subscribe ~/a:1; A drop; B connect clean; B publish ~/a qos=1 "
            + "expiry=1; B publish ~/a qos=1; B wait 3500ms; A connect resume expiry=1000"
    )]
    [TestCase(
        AliasNotSetAnew,
        V5,
        "topic-matches",
        "A connect clean; A publish ~/a.b qos=0 alias=1; A subscribe ~/#:0; A publish ~/a qos=0 alias=1"
    )]
    [TestCase(
        ByteOrderMarkStripped,
        V5,
        "topic-matches",
        "A connect clean; A subscribe ~/a:0; A publish ~/\uFEFFa qos=0"
    )]
    [TestCase(
        PubrelNotResumed,
        V5,
        "resend",
        "A connect clean expiry=1000; A subscribe ~/a:2; A hold pubcomp; A publish ~/a qos=2; A connect " + "resume"
    )]
    [TestCase(
        PublishBehindPubrel,
        V5,
        "publish-behind-pubrel",
        "A connect resume expiry=1000; A subscribe ~/a:2; A hold pubcomp; B connect clean; B publish ~/a qos=2; "
            + "A drop; A connect resume"
    )]
    [TestCase(
        PublishBehindPubrel,
        V311,
        "publish-behind-pubrel",
        "A connect resume; A subscribe ~/a:2; A hold pubcomp; B connect clean; B publish ~/a qos=2; A drop; "
            + "A connect resume"
    )]
    [TestCase(
        ReceivedQos2Forgotten,
        V5,
        "qos2-exactly-once",
        "A connect clean; A subscribe ~/a:0; B connect resume expiry=1000; B publish ~/a qos=2; & B drop; "
            + "B connect resume"
    )]
    [TestCase(
        WindowIgnoredOnResume,
        V5,
        "receive-maximum",
        "A connect resume expiry=1000; B connect clean; A subscribe ~/a:2; A drop; B publish ~/a qos=2; B "
            + "publish ~/a qos=1; A connect resume window=1"
    )]
    [TestCase(PubackOfEightBits, V5, "answer-identifier", "A connect clean; B connect clean; B publish ~/a qos=1")]
    [TestCase(
        PublishedQos,
        V311,
        "delivery-qos",
        "A connect clean; B connect resume will=~/a:2; A subscribe ~/a:1; & B drop"
    )]
    [TestCase(
        ResendWithoutDup,
        V311,
        "dup-on-resend",
        "A connect resume; A subscribe ~/a:2; A hold; A publish ~/a qos=2; A connect resume"
    )]
    [TestCase(
        Qos2Repeated,
        V311,
        "qos2-exactly-once",
        "A connect clean; A subscribe ~/a:0; A publish ~/a qos=2 repeat"
    )]
    [TestCase(
        PropertiesDropped,
        V5,
        "properties-forwarded",
        "A connect clean; A subscribe ~/a:0; B connect clean; B publish ~/a qos=0 properties"
    )]
    [TestCase(
        MaximumPacketIgnored,
        V5,
        "maximum-packet-size",
        "A connect clean max=200; A subscribe ~/a:0; B connect clean; B publish ~/a qos=0 size=1000"
    )]
    [TestCase(
        QueueLost,
        V311,
        "offline-queue",
        "A connect resume; A subscribe ~/a/:1; B connect clean; A drop; B publish ~/a/ qos=1; B publish "
            + "~/a/ qos=1; A connect resume"
    )]
    [TestCase(
        ResendReversed,
        V5,
        "resend-order",
        "A connect resume expiry=1000; A subscribe ~/a:2; A hold; A publish ~/a qos=2; A publish ~/a "
            + "qos=2; A connect resume"
    )]
    [TestCase(
        InFlightForgotten,
        V5,
        "resend",
        "A connect clean expiry=4294967295; A publish ~/a qos=2 retain; A hold; A subscribe ~/a:2; A "
            + "connect resume"
    )]
    [TestCase(
        WindowFreedAtPubrec,
        V5,
        "receive-maximum",
        "A connect resume window=1; B connect resume will=~/a:1; A hold pubcomp; A subscribe ~/a:2; A "
            + "publish ~/a qos=2; B drop"
    )]
    [TestCase(
        ExpiryNotForwarded,
        V5,
        "message-expiry",
        "A connect clean; A subscribe ~/a:0; A publish ~/a qos=0 expiry=1000"
    )]
    [TestCase(
        NoSubscribersAlways,
        V5,
        "no-matching-subscribers",
        "A connect clean; A subscribe ~/a:1; A publish ~/a qos=2"
    )]
    [TestCase(
        UserPropertiesReversed,
        V5,
        "properties-forwarded",
        "A connect clean; A subscribe ~/a:0; B connect clean; B publish ~/a qos=0 properties"
    )]
    [TestCase(DupForwarded, V311, "dup-not-copied", "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1 dup")]
    [TestCase(
        QueueReversed,
        V311,
        "order",
        "A connect resume; B connect clean; A subscribe ~/a:1; A disconnect; B publish ~/a qos=2; B "
            + "publish ~/a qos=2; A connect resume"
    )]
    [TestCase(
        QueueStallsAtExpired,
        V5,
        "offline-queue",
        "A connect resume expiry=1000; A subscribe ~/a:1; A drop; B connect clean; B publish ~/a qos=1 "
            + "expiry=1; B publish ~/a qos=1; B wait 3500ms; A connect resume expiry=1000"
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

    [TestCase(V311)]
    [TestCase(V5)]
    public void A_core_that_brings_retained_messages_for_a_refused_filter_is_seen(ProtocolVersion version)
    {
        const string Steps = "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/b:1 ~/a:1";
        var limits = new BrokerLimits { SubscriptionsPerSession = 1 };
        Assert.That(JudgedBroker.Broken(Steps, version, RefusedFilterBrings, limits), Does.Contain("refused-filter"));
        Assert.That(JudgedBroker.Broken(Steps, version, limits: limits), Does.Not.Contain("refused-filter"));
    }
}
