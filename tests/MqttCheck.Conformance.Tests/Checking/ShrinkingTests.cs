using MqttCheck.Broker.Faults;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>The smaller scenarios that show a deviation, and what is known of them.</summary>
// In virtual time, so that several may share the machine.
[Parallelizable(ParallelScope.All)]
internal sealed class ShrinkingTests
{
    // The whole scenario has a client more than its part, so the traces of one do not fit the other.
    [Test]
    public void Repetitions_of_a_scenario_that_waits_do_not_confirm_its_part()
    {
        const string Steps =
            "A connect clean keepalive=1; & B connect clean; B ping; B ping; B subscribe ~/a:1; B ping; "
            + "A wait 2600ms";
        using var broker = new VirtualBroker(mutant: BrokerMutant.KeepAliveIgnored);
        var options = new CheckOptions();
        var found = broker.Run(ScenarioText.Parse(Steps, ProtocolVersion.V5, "test"));
        var replayer = new Replayer(broker.Wire, broker.Runner, options, _ => false, () => false)
        {
            End = long.MaxValue,
        };
        var shrinking = new Shrinking(replayer, options, found.Deviations[0], 1, 1);
        Assert.That(shrinking.Begin(found.Scenario)?.Hits, Is.GreaterThan(0));
        replayer.End = broker.Wire.NowNanoseconds;
        Assert.That(shrinking.Run(found.Scenario).Clients, Is.EqualTo(1));
        Assert.That(shrinking.Confirmation, Is.Null);
    }
}
