using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Latency;
using MqttCheck.Logs;

namespace MqttCheck.Tests.Latency;

/// <summary>A broker that is measured is compared with that of the training, feature by feature.</summary>
[TestFixture]
internal sealed class TrainedBrokerTests
{
    private static readonly LoggedBroker s_learned = new(
        "mosquitto",
        "2.0.11",
        "default",
        new Dictionary<string, string> { ["mqtt"] = "3.1.1", ["nodelay"] = "false" }
    );

    [Test]
    public void The_broker_of_the_training_is_not_named() =>
        Assert.That(TrainedBroker.Unlike(s_learned, s_learned with { }), Is.Empty);

    [TestCase("mqtt", "5", "MQTT version: 5 is measured, and the model was learned with 3.1.1.")]
    [TestCase(
        "client",
        "MQTTnet",
        "MQTT client: MQTTnet is measured, and the model was learned with that of MqttCheck."
    )]
    [TestCase("transport", "mqtts", "transport: mqtts is measured, and the model was learned with mqtt.")]
    [TestCase("nodelay", "true", "broker setting nodelay: true is measured, and the model was learned with false.")]
    public void A_detail_that_differs_is_named_with_both_values(string key, string value, string sentence)
    {
        var finding = TrainedBroker.Unlike(s_learned, With(key, value)).Single();
        Assert.That(finding.Place, Is.EqualTo(TrainingPlace.NeverSeen));
        Assert.That(
            finding.Sentence,
            Is.EqualTo($"{sentence} 'mqttcheck explore --broker mosquitto' gives a log to learn from.")
        );
    }

    [Test]
    public void Another_version_and_other_settings_of_the_broker_are_named() =>
        Assert.That(
            Features(s_learned with { Version = "2.1.0", Settings = "tuned" }),
            Is.EqualTo((string[])["broker version", "broker settings"])
        );

    [Test]
    public void Another_broker_is_named_without_its_own_version_and_settings() =>
        Assert.That(
            Features(With("mqtt", "5") with { Name = "nats", Version = "2.9", Settings = "tuned" }),
            Is.EqualTo((string[])["MQTT version", "broker"])
        );

    [Test]
    public void A_prediction_that_does_not_say_its_broker_leaves_it_open() =>
        Assert.That(TrainedBroker.Unlike(null, s_learned).Single().Place, Is.EqualTo(TrainingPlace.NotRecorded));

    // Details that are missing stand for their usual values, so the law is about details that are given.
    [Test]
    public void Something_is_named_exactly_where_the_brokers_differ()
    {
        var text = Gen.Elements("a", "b");
        var brokers =
            from name in text
            from version in text
            from settings in text
            from mqtt in text
            from client in text
            from delay in text
            select new LoggedBroker(
                name,
                version,
                settings,
                new Dictionary<string, string>
                {
                    ["mqtt"] = mqtt,
                    ["client"] = client,
                    ["delay"] = delay,
                }
            );
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(500).WithReplay(1, 1),
            Prop.ForAll(
                Arb.From(brokers),
                Arb.From(brokers),
                (one, other) => TrainedBroker.Unlike(one, other).Count == 0 == one.Equals(other)
            )
        );
    }

    private static IEnumerable<string> Features(LoggedBroker measured) =>
        TrainedBroker.Unlike(s_learned, measured).Select(finding => finding.Feature);

    private static LoggedBroker With(string key, string value) =>
        s_learned with
        {
            Details = new Dictionary<string, string>(s_learned.Details) { [key] = value },
        };
}
