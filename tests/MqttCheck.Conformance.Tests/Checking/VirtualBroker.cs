using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>
/// The embedded broker and the runner on one wire in virtual time: every run is repeatable, and waiting costs nothing.
/// </summary>
internal sealed class VirtualBroker : IDisposable
{
    private readonly BrokerHost _host;

    internal VirtualBroker(
        string faults = "none",
        ulong seed = 1,
        BrokerLimits? limits = null,
        BrokerMutant mutant = BrokerMutant.None,
        BrokerHabits habits = BrokerHabits.None,
        TimeSpan? latency = null,
        Func<IWire, IPEndPoint, IPEndPoint>? through = null
    )
    {
        Wire = WireFactory.CreateInMemory(latency ?? TimeSpan.FromMicroseconds(50));
        _host = new BrokerHost(
            Wire,
            new EmbeddedBrokerOptions
            {
                Broker = new BrokerOptions
                {
                    Faults = FaultPlan.Parse(faults, "test"),
                    Seed = seed,
                    Limits = limits ?? new BrokerLimits(),
                    Mutant = mutant,
                    Habits = habits,
                },
            }
        );
        var address = _host.Listen(new WireListener(new IPEndPoint(IPAddress.Loopback, 0)));
        Target = new CheckTarget(through?.Invoke(Wire, address) ?? address);
        Runner = new ScenarioRunner(Wire, Target, "t");
    }

    internal BrokerCounters Counters => _host.Counters;

    internal IWire Wire { get; }

    internal CheckTarget Target { get; }

    internal ScenarioRunner Runner { get; }

    internal ScenarioResult Run(Scenario scenario) => Runner.Run(scenario, new CheckTiming());

    internal ConformanceCheck Check(
        ProtocolVersion version,
        ulong seed = 1,
        Action<Finding>? found = null,
        int lanes = 4,
        Predicate<Statement>? counts = null
    ) =>
        new(
            Wire,
            Target,
            "t",
            new CheckOptions
            {
                Seed = seed,
                Lanes = lanes,
                Counts = counts,
                ShrinkTime = TimeSpan.FromHours(1),
                Generator = new GeneratorOptions
                {
                    Versions = [version],
                    Defects311 = MalformedPackets.Names(ProtocolVersion.V311),
                    Defects5 = MalformedPackets.Names(ProtocolVersion.V5),
                },
            }
        )
        {
            Found = found,
        };

    public void Dispose() => Wire.Dispose();
}
