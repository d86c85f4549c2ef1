using System.Net;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Fleets.Parts;

[TestFixture]
internal sealed class PartFieldsTests
{
    [Test]
    public void A_setup_that_travelled_is_the_same()
    {
        var setup = new FleetSetup
        {
            Population = Population.Of(
                VirtualRun.Profile() with
                {
                    ConnectsPerSecond = 40,
                    Stages = [new(1, 2), new(2, .5)],
                    KeepAliveSeconds = 30,
                    Retain = true,
                    CleanSessions = true,
                    ShareName = "pool",
                    MessageExpirySeconds = 60,
                    UserProperties = [new("site", "north")],
                    TopicAliases = 5,
                    Will = new("status/{client}", "gone", QualityOfService.AtLeastOnce),
                }
            ),
            Clients = 7,
            Duration = TimeSpan.FromTicks(31_234_567),
            Seed = ulong.MaxValue,
            Run = 3,
            Endpoint = new(IPEndPoint.Parse("[::1]:1883")),
            Nodes = [new(IPEndPoint.Parse("127.0.0.1:1")), new(IPEndPoint.Parse("127.0.0.1:2"))],
            Failover = true,
            Credentials = new("user", "secret"),
            Prefix = "mqttcheck/0badcafe/",
            TopicPrefix = "plant/",
            ProtocolVersion = ProtocolVersion.V5,
            ExchangeTimeout = TimeSpan.FromSeconds(3),
            ConnectPatience = TimeSpan.FromSeconds(4),
            MaximumRequestsPerSecond = 1.0 / 3,
            TimerCoalescing = TimeSpan.FromMilliseconds(1),
            KernelSendStamps = true,
        };
        var bytes = PartFields.Describe(new FleetPartDescription(setup, new(1, 2)));
        var (travelled, share) = PartFields.Read<FleetPartDescription>(bytes, _ => ClientKind.Own);
        Assert.That((share, travelled.Population.Groups), Is.EqualTo((new FleetShare(1, 2), setup.Population.Groups)));
        Assert.That(
            (travelled.Nodes, travelled with { Nodes = setup.Nodes, Population = setup.Population }),
            Is.EqualTo((setup.Nodes, setup))
        );
        Assert.That(PartFields.Describe(new FleetPartDescription(travelled, share)), Is.EqualTo(bytes));
    }

    // A new property has to be one that JSON or PartFields can hold, or workers run another fleet.
    [Test]
    public void Every_property_of_a_setup_travels_but_the_process_of_the_broker() =>
        Assert.That(typeof(FleetSetup).GetProperties(), Has.Length.EqualTo(20));
}
