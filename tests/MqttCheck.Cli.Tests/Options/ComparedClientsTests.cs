using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Protocol;

namespace MqttCheck.Cli.Tests.Options;

internal sealed class ComparedClientsTests
{
    private static readonly BrokerChoice s_choice = new(
        BrokerSpecification.Parse("mosquitto"),
        _ => throw new BrokerException("It is not started here."),
        null
    );

    [Test]
    public void Each_client_gets_the_broker_under_a_name_of_its_own()
    {
        var compared = ComparedClients
            .With("mosquitto", s_choice, [ClientKind.Own, ClientOption.Choose("mqttnet")])
            .ToArray();

        Assert.That(
            compared.Select(one => (one.Key, one.Value.Client.Name)),
            Is.EqualTo(new[] { ("mosquitto/own", "own"), ("mosquitto/mqttnet", "mqttnet") })
        );
        // By this a comparison knows that they share one started broker.
        Assert.That(compared.Select(one => one.Value.StartAsync), Is.All.SameAs(s_choice.StartAsync));
    }

    [Test]
    public void A_single_client_leaves_the_name_as_it_is() =>
        Assert.That(
            ComparedClients.With("nats", s_choice, [ClientOption.Choose("mqttnet")]).Single()
                is { Key: "nats", Value.Client.Name: "mqttnet" },
            Is.True
        );

    // What is not equal here is refused by learn, and warned about by verify.
    [Test]
    public void A_log_names_the_client_and_logs_of_two_clients_are_of_different_brokers()
    {
        var description = new BrokerDescription { Name = "mosquitto", Version = "2.0.11" };
        var mqttNet = ClientOption.Choose("mqttnet");

        var (own, other) = (
            description.Logged(ProtocolVersion.V5, ClientKind.Own),
            description.Logged(ProtocolVersion.V5, mqttNet)
        );

        Assert.That(own.Details, Does.Not.ContainKey("client"));
        Assert.That(other.Details["client"], Is.EqualTo(mqttNet.ToString()));
        Assert.That(other, Is.Not.EqualTo(own));
        Assert.That(PredictStage.Describe(other), Does.Contain($", client {mqttNet}"));
        Assert.That(ReportStage.Describe(description, mqttNet).Details["client"], Is.EqualTo(mqttNet.ToString()));
    }
}
