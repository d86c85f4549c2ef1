using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Profiles;

namespace MqttCheck.Testing.Tests;

/// <summary>Requirements on a Mosquitto whose access list allows topics below plant/ alone.</summary>
[TestFixture, NonParallelizable]
[Category("Whole"), Category("mosquitto")]
internal sealed class RightsTests : DirectoryFixture
{
    private static readonly TimeSpan s_generous = 5.Seconds();

    private static IEnumerable<TestCaseData> Requirements() =>
        [
            Case("Latency", measurement => Requirement.Latency(below: s_generous, probability: .9).Decide(measurement)),
            Case("Success", measurement => Requirement.Success(probability: .9).Decide(measurement)),
            Case(
                "Property",
                measurement => Requirement.Property("P>=0.9[ G latency(publish) < 5s ]").Decide(measurement)
            ),
        ];

    [TestCaseSource(nameof(Requirements))]
    public async Task A_denied_topic_stops_a_requirement_before_any_load(Func<FleetMeasurement, Decision> decide)
    {
        await using var broker = await StartAsync();
        var measurement = Measure(broker);
        Assert.That(
            () => decide(measurement),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Match(@"never delivers it|answers a subscription to 'mqttcheck/")
                .And.Message.Contains("'mqttcheck/")
                .And.Message.Contains("No load was sent.")
                .And.Message.Contains(TestBrokerOptions.TopicPrefixVariable)
        );
        Assert.That(measurement.Runs, Is.Empty);
        Assert.That(
            File.ReadLines(ConfiguredMosquitto.LogIn(Folder)).Count(line => line.Contains("connected from")),
            Is.LessThan(measurement.Clients),
            "the clients of the load did not connect"
        );
    }

    [Test]
    public async Task A_denied_topic_stops_a_check_of_the_standard()
    {
        await using var broker = await StartAsync();
        Assert.That(
            () => broker.Check(5.Seconds(), new() { Scenarios = 1 }),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Match("never delivers a publication to '.+/a' at QoS 0")
                .And.Message.Contains("No load was sent.")
        );
    }

    [Test]
    public async Task A_requirement_is_decided_below_a_prefix_that_the_broker_allows()
    {
        await using var started = await StartAsync();
        await using var broker = await TestBroker.StartAsync(
            $"mqtt://{started.Address}",
            new() { TopicPrefix = "plant/" }
        );
        Assert.That(Requirement.Latency(below: s_generous, probability: .9).Decide(Measure(broker)).IsMet, Is.True);
    }

    private static TestCaseData Case(string name, Func<FleetMeasurement, Decision> decide) =>
        new TestCaseData(decide).SetArgDisplayNames(name);

    private static FleetMeasurement Measure(IBrokerUnderTest broker) =>
        new(broker, Population.Of(QuickProfile.Create()), 30, new(), CancellationToken.None) { IsValid = _ => true };

    private async Task<IBrokerUnderTest> StartAsync()
    {
        await File.WriteAllTextAsync(In("rules"), "topic readwrite plant/#\n");
        return await ConfiguredMosquitto.StartAsync(Folder, $"acl_file {In("rules")}");
    }
}
