using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

[TestFixture]
public sealed class SweeperTests
{
    // Two brokers that know nothing of each other: what is left at one of them nobody else can remove.
    [Test]
    public void Sessions_and_retained_messages_are_removed_at_every_node()
    {
        using var wire = WireFactory.CreateInMemory();
        BrokerHost[] hosts = [Host(wire), Host(wire)];
        var nodes = hosts
            .Select(host => new WireEndpoint(host.Listen(new WireListener(new IPEndPoint(IPAddress.Loopback, 0)))))
            .ToList();
        var runner = new ScenarioRunner(wire, new CheckTarget(nodes[0]) { Nodes = nodes }, "t");
        runner.Run(
            ScenarioText.Parse(
                "A connect resume; B connect resume; A subscribe ~/x:1; B subscribe ~/x:1; "
                    + "A publish ~/a qos=1 retain; B publish ~/b qos=1 retain",
                ProtocolVersion.V311,
                "test"
            ),
            new CheckTiming()
        );
        Assert.That(
            hosts.Select(host => (host.Counters.Sessions, host.Counters.RetainedMessages)),
            Is.All.EqualTo((0, 0))
        );
    }

    private static BrokerHost Host(IWire wire) =>
        new(wire, new EmbeddedBrokerOptions { Broker = new BrokerOptions { Seed = 1 } });
}
