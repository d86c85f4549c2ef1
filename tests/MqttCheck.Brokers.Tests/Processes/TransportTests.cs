using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Processes;

/// <summary>The fleet, as a client that Mosquitto judges, over each transport.</summary>
[Platform("Linux,MacOsX")]
public sealed class TransportTests
{
    [Test]
    [Category("Whole")]
    public async Task A_fleet_works_against_Mosquitto(
        [Values("mosquitto", "mosquitto:tls", "mosquitto:ws", "mosquitto:tuned:wss")] string name,
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        await using var broker = await Installed.MosquittoAsync(name);
        var log = new ExchangeList();
        var setup = new FleetSetup
        {
            Population = Population.Of(
                ProfileFile.Read("up1").Groups[0].Profile with
                {
                    WaitMilliseconds = new ConstantLaw(1),
                }
            ),
            Clients = 10,
            CountedSequences = 5,
            Seed = 3,
            Endpoint = broker.Endpoint,
            ProtocolVersion = version,
            Prefix = FleetSetup.NewPrefix(),
        };
        var result = new FleetRun(setup, log).Run();
        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(
            log.Exchanges,
            Has.Count.GreaterThanOrEqualTo(10 * 5 * 10),
            "every client has sent five sequences of ten messages"
        );
        Assert.That(log.Exchanges.Select(exchange => exchange.Outcome), Is.All.EqualTo(ExchangeOutcome.Success));
    }
}
