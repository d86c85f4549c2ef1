using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Testing;
using NUnit.Framework.Constraints;
using NUnit.Framework.Internal;

namespace MqttCheck.NUnit.Tests;

/// <summary>Conformance as a constraint.</summary>
[TestFixture, NonParallelizable]
public sealed class ConformanceConstraintTests
{
    // Every delivery has the wrong quality of service, so it is found within the first scenarios.
    [Test]
    public async Task A_finding_fails_with_its_transcript_and_report_and_negation_passes()
    {
        await using var broker = EmbeddedBroker.Start(
            new() { Broker = new() { Faults = FaultPlan.Parse("wrong-qos:1", "test") } }
        );
        var found = await broker.Check(30.Seconds(), new() { Scenarios = 20 });
        var result = Conforms.ToMqtt().ApplyTo(found);
        Assert.That(result.IsSuccess, Is.False);
        var attached = TestExecutionContext.CurrentContext.CurrentResult.TestAttachments.Single().FilePath;
        Assert.That(
            Message.Of(result),
            Does.StartWith("  Expected: the broker violates no statement of the MQTT standard that says MUST")
                .And.Match(@"But was:  \d+ violations?: .*MQTT-3\.8\.4-")
                .And.Contain("<==")
                .And.Contain("Report:   " + attached)
        );
        Assert.That(new NotConstraint(Conforms.ToMqtt().IncludingShould()).ApplyTo(found).IsSuccess, Is.True);
    }

    [Test]
    public void What_is_no_check_is_named() =>
        Assert.That(
            () => Conforms.ToMqtt().ApplyTo("text"),
            Throws.ArgumentException.With.Message.Contains("a ConformanceResult")
        );
}
