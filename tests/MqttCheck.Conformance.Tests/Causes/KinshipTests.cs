using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Causes;

/// <summary>Which deviations one cause may show.</summary>
[TestFixture]
internal sealed class KinshipTests
{
    [TestCase("overlapping-qos", "delivered", true, ExpectedResult = true)]
    // A message that comes at a lower quality of service is no plainer case of one that is missing.
    [TestCase("delivered", "overlapping-qos", true, ExpectedResult = false)]
    [TestCase("all-identifiers", "delivered", true, ExpectedResult = true)]
    [TestCase("offline-queue", "delivered", true, ExpectedResult = true)]
    [TestCase("retained-sent-again", "retained-kept", true, ExpectedResult = true)]
    [TestCase("no-local", "no-local", false, ExpectedResult = true)]
    [TestCase("delivered", "retained-kept", true, ExpectedResult = false)]
    [TestCase("delivered", "no-local", true, ExpectedResult = false)]
    public bool A_plainer_deviation_of_the_family_may_stand_for_one(string one, string other, bool isAbsence)
    {
        var (first, second) = (Of(one, isAbsence), Of(other, isAbsence));
        Assert.That(Kinship.MayBeKin(first, second.Key), Is.EqualTo(Kinship.AreKin(first, second)));
        return Kinship.AreKin(first, second);
    }

    // One that is there is no kin of one that is missing.
    [Test]
    public void A_message_too_many_is_no_kin_of_a_missing_one() =>
        Assert.That(Kinship.AreKin(Of("delivered", true), Of("delivered", false)), Is.False);

    // Each malformed packet that is taken is a fault of its own.
    [TestCase("malformed", ExpectedResult = false)]
    [TestCase("delivered", ExpectedResult = true)]
    public bool A_statement_of_many_rules_says_nothing_of_causes(string name) => Kinship.MayHaveKin(Of(name, false));

    [Test]
    public void Ends_of_connections_are_kin_whichever_statement_they_violate()
    {
        var puback = Of("puback", false) with { Trigger = new SentPacket(PacketType.Publish, "PUBLISH of QoS 1") };
        var kept = Of("connection-kept", false) with { Trigger = new SentPacket(PacketType.Subscribe, "SUBSCRIBE") };
        Assert.That(Kinship.AreKin(puback, kept));
        Assert.That(Kinship.AreKin(puback, Of("puback", false)), Is.False);
        Assert.That(Kinship.MayHaveKin(kept));
    }

    private static Deviation Of(string name, bool isAbsence) =>
        new(Statements.All.Single(statement => statement.Name == name), "test", "", 0) { IsAbsence = isAbsence };
}
