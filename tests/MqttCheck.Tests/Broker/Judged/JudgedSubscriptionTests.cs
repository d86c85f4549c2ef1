using MqttCheck.Broker.Faults;
using MqttCheck.Protocol;
using static MqttCheck.Broker.Faults.BrokerMutant;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Judged;

/// <summary>Subscriptions and retained messages, as the conformance check judges them in virtual time.</summary>
[TestFixture]
internal sealed class JudgedSubscriptionTests
{
    // Most of these the check found and shrank by itself: benchmark 'mutants seconds=40 seeds=1 findings'.
    [TestCase(
        FirstIdentifierOnly,
        V5,
        "all-identifiers",
        "A connect clean; A subscribe ~/a:1 id=46; A subscribe ~/#:1 id=190; A publish ~/a qos=1"
    )]
    [TestCase(
        LastIdentifierOnly,
        V5,
        "all-identifiers",
        "A connect clean; A subscribe ~/a:1 id=46; A subscribe ~/#:1 id=190; A publish ~/a qos=1"
    )]
    [TestCase(
        Qos0NotRetained,
        V5,
        "retained-qos0-replaces",
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=0 retain; A ping; A subscribe ~/a:1"
    )]
    [TestCase(
        Qos0DoesNotDelete,
        V5,
        "retained-deleted",
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=0 retain empty; A ping; A " + "subscribe ~/+:0"
    )]
    [TestCase(HashWithoutRetained, V5, "retained-sent", "A connect clean; A publish ~/a qos=1 retain; A subscribe #:1")]
    [TestCase(
        ParentWithoutRetained,
        V5,
        "retained-sent",
        "A connect clean expiry=1000; A publish ~ qos=1 retain; A subscribe ~/#:1"
    )]
    [TestCase(
        ExpiredRetainedSent,
        V5,
        "expired",
        "A connect clean; A publish ~/a qos=1 retain expiry=1; A wait 3000ms; A subscribe ~/a:0"
    )]
    [TestCase(
        SharedToTwo,
        V5,
        "shared-once",
        "A connect clean; B connect clean; A subscribe $share/~g/~.a:0; B subscribe $share/~g/~.a:0; A "
            + "publish ~.a qos=0"
    )]
    [TestCase(
        SharedUnsubscribeEndsAll,
        V5,
        "shared-delivered",
        "A connect clean; A subscribe $share/~h/~/a:0; B connect clean; B subscribe $share/~h/~/a:1; A "
            + "unsubscribe $share/~h/~/a; A publish ~/a qos=2"
    )]
    [TestCase(SharedAtQos0, V5, "delivery-qos", "A connect clean; A subscribe $share/~g/~/a:1; A publish ~/a qos=1")]
    [TestCase(
        FifthSubscriptionLost,
        V311,
        "delivered",
        "A connect clean; A subscribe ~/a:0; A subscribe ~/7:0 ~/3:0 ~/2:0 ~/6:1; A publish ~/6 qos=1"
    )]
    [TestCase(
        OverlapReplaces,
        V5,
        "delivered",
        "A connect clean; A subscribe ~/a:1 ~/#:0:no-local; A publish ~/a qos=1"
    )]
    [TestCase(
        HashOfSixteenLevels,
        V311,
        "delivered",
        "A connect clean; A subscribe ~/#:1; A publish ~/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d qos=1"
    )]
    [TestCase(NoLocalIgnored, V5, "no-local", "A connect clean; A subscribe ~/a:0:no-local; A publish ~/a qos=0")]
    [TestCase(
        StoredWithoutRetain,
        V311,
        "retain-flag-stored",
        "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/a:0"
    )]
    [TestCase(
        RetainAsPublishedIgnored,
        V5,
        "retain-flag-live",
        "A connect clean; A subscribe ~/a:0:as-published; A publish ~/a qos=0 retain"
    )]
    [TestCase(SubackReversed, V311, "suback-codes", "A connect clean; A subscribe ~/a:1 ~/a:2")]
    [TestCase(UnsubackAlwaysSuccess, V5, "unsuback-told", "A connect clean; A unsubscribe ~/a")]
    [TestCase(
        UnsubscribeFirstOnly,
        V5,
        "unsubscribed",
        "A connect clean; A subscribe ~//a:0; A unsubscribe ~/a ~//a; A publish ~//a qos=0"
    )]
    [TestCase(
        SendIfNewAlways,
        V5,
        "retain-handling",
        "A connect clean; A subscribe ~/a:0; A publish ~/a qos=0 retain; A subscribe ~/a:0:handling=1"
    )]
    [TestCase(
        DeleteIgnored,
        V5,
        "retained-deleted",
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=0 retain empty; A ping; A " + "subscribe ~/+:0"
    )]
    [TestCase(
        RetainedExpiryNotCounted,
        V5,
        "message-expiry",
        "A connect clean; A publish ~/a qos=1 retain expiry=100; A wait 5000ms; A subscribe " + "~/a:0:as-published"
    )]
    [TestCase(
        RetainedWithoutIdentifier,
        V5,
        "subscription-identifiers",
        "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/a:0 id=177"
    )]
    [TestCase(
        SharedWithoutIdentifier,
        V5,
        "subscription-identifiers",
        "A connect clean; A subscribe $share/~g/~/a:0 id=148; A publish ~/a qos=0"
    )]
    [TestCase(
        ResubscribeKeepsOptions,
        V5,
        "retain-flag-live",
        "A connect clean; A subscribe ~/a:0:as-published; A subscribe ~/a:0; A publish ~/a qos=0 retain"
    )]
    [TestCase(
        ResubscribeKeepsIdentifier,
        V5,
        "subscription-identifiers",
        "A connect clean; A subscribe ~/a:0 id=72; A subscribe ~/a:0 id=5; A publish ~/a qos=0"
    )]
    [TestCase(ResubscribeKeepsQos, V5, "delivery-qos", "A connect clean; A subscribe ~/a:2 ~/a:1; A publish ~/a qos=2")]
    [TestCase(
        EmptyDeletes,
        V311,
        "retained-sent",
        "A connect clean; A publish ~/a qos=1 retain; A publish ~/a qos=0 empty; A subscribe ~/+:1"
    )]
    [TestCase(
        SendIfNewNever,
        V5,
        "retained-kept",
        "A connect clean; A publish ~/a qos=1 retain; A subscribe ~/a:1:handling=1"
    )]
    [TestCase(
        DoNotSendIgnored,
        V5,
        "retain-handling",
        "A connect clean; A publish ~/a qos=0 retain; A subscribe ~/a:0; A subscribe ~/a:0:handling=2"
    )]
    [TestCase(
        UnsubscribeCovered,
        V311,
        "delivered",
        "A connect clean; A subscribe ~/+:1 ~/#:0; A unsubscribe ~/#; A publish ~/a qos=2"
    )]
    [TestCase(
        ShareNameIgnored,
        V5,
        "shared-delivered",
        "A connect clean; B connect clean; B subscribe $share/~h/~/a:0; A subscribe $share/~g/~/a:1; B "
            + "publish ~/a qos=2"
    )]
    [TestCase(
        SharedRetained,
        V5,
        "shared-not-retained",
        "A connect clean; A publish ~/a qos=0 retain; A subscribe $share/~g/~/a:0"
    )]
    [TestCase(DollarMatched, V5, "dollar-topics", "A connect clean; A subscribe #:0; A publish $~/a qos=0")]
    [TestCase(
        DeleteNotForwarded,
        V5,
        "delivered",
        "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1 retain empty"
    )]
    [TestCase(
        RetainedOnResume,
        V311,
        "retain-flag-live",
        "A connect resume; A subscribe ~/a:0; A publish ~/a qos=0 retain; A connect resume"
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
