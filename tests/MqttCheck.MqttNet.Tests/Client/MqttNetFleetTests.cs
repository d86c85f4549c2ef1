using System.Net;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Fleets;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.MqttNet.Client;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.MqttNet.Tests.Client;

/// <summary>The fleet with MQTTnet clients, in real time: the same models, the same log.</summary>
[TestFixture]
internal sealed class MqttNetFleetTests() : LiveFleet(MqttNetClient.Kind)
{
    [Test]
    [Category("Whole")]
    public async Task Every_exchange_succeeds_on_Mosquitto_and_the_messages_come_in(
        [Values] QualityOfService qos,
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        await using var broker = await Installed.MosquittoAsync();
        var log = new ExchangeList();

        var result = new FleetRun(
            Setup(broker.Endpoint) with
            {
                Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 20), qos: qos, topics: 10)),
                Clients = 20,
                ProtocolVersion = version,
            },
            log
        ).Run();

        AssertAllSucceeded(result, log, sequences: 40);
        Assert.That(
            log.Exchanges.Where(exchange => exchange.Message == MessageKind.Publish)
                .Sum(exchange => exchange.Receivers),
            Is.Positive
        );
        Assert.That(
            log.Exchanges,
            Has.All.Matches<Exchange>(exchange => !(exchange.AcknowledgedMicroseconds < exchange.SentMicroseconds))
        );
        Assert.That(
            log.Exchanges,
            Has.All.Matches<Exchange>(exchange => !(exchange.LastDeliveryMicroseconds < exchange.SentMicroseconds))
        );
    }

    [Test]
    public async Task An_exchange_lasts_from_the_call_on_and_no_shorter_than_the_broker_holds_it_back()
    {
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Delays = DelayPlan.Parse("constant:20ms", "test") }
        );
        var log = new ExchangeList();

        new FleetRun(Setup(new WireEndpoint(broker.Address)), log).Run();

        // The end of a connection is no answer, and is not held back.
        var answered = log.Exchanges.Where(exchange => exchange.Message != MessageKind.Disconnect).ToArray();
        Assert.That(answered, Is.Not.Empty);
        Assert.That(answered.Select(exchange => exchange.LatencyMilliseconds), Is.All.GreaterThanOrEqualTo(20));
        // The bound is how long the call itself took: no answer has come within it.
        Assert.That(
            answered,
            Has.All.Matches<Exchange>(exchange =>
                exchange.SendBoundMicroseconds is > 0 and var bound
                && exchange.SentMicroseconds + bound <= exchange.EndMicroseconds
            )
        );
    }

    [Test]
    public void Kernel_stamps_are_refused_by_name()
    {
        var setup = Setup(new WireEndpoint(new IPEndPoint(IPAddress.Loopback, 1883))) with { KernelSendStamps = true };

        Assert.That(
            () => new FleetRun(setup, new ExchangeList()),
            Throws.TypeOf<InputException>().With.Message.Contains("client mqttnet; allowed: only with own")
        );
    }

    [Test]
    public void The_rehearsal_is_held_with_the_client_that_is_measured() =>
        Assert.That(Rehearsal.Hold(MqttNetClient.Kind), Is.True);

    /// <summary>Five clients with two sequences each.</summary>
    internal static FleetSetup Setup(WireEndpoint endpoint) => Setup(endpoint, MqttNetClient.Kind);
}
