using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Conformance.Tests.Checking;
using MqttCheck.Protocol;

namespace MqttCheck.Tests.Broker.Judged;

/// <summary>Runs one scenario on the core, in virtual time, and has the conformance check judge it.</summary>
internal static class JudgedBroker
{
    /// <summary>The statements that were broken, in the order in which that was seen.</summary>
    public static string[] Broken(
        string steps,
        ProtocolVersion version,
        BrokerMutant mutant = BrokerMutant.None,
        BrokerLimits? limits = null
    )
    {
        using var broker = new VirtualBroker(limits: limits, mutant: mutant);
        return
        [
            .. broker
                .Run(ScenarioText.Parse(steps, version, "test"))
                .Deviations.Select(deviation => deviation.Statement.Name),
        ];
    }
}
