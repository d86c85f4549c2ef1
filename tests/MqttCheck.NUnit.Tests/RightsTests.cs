using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Profiles;
using MqttCheck.Testing;
using MqttCheck.Testing.Tests;

namespace MqttCheck.NUnit.Tests;

/// <summary>A test of a Mosquitto whose access list allows topics below plant/ alone.</summary>
[TestFixture, NonParallelizable]
[Category("Whole"), Category("mosquitto")]
internal sealed class RightsTests : DirectoryFixture
{
    [Test]
    public async Task A_test_of_a_broker_that_denies_the_topics_ends_with_what_was_denied()
    {
        await File.WriteAllTextAsync(In("rules"), "topic readwrite plant/#\n");
        await using var broker = await ConfiguredMosquitto.StartAsync(Folder, $"acl_file {In("rules")}");
        var measurement = new FleetMeasurement(
            broker,
            Population.Of(QuickProfile.Create()),
            10,
            new(),
            CancellationToken.None
        );
        Assert.That(
            () => Meets.Property("P>=0.9[ G latency(publish) < 5s ]").ApplyTo(measurement),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Contains("'mqttcheck/")
                .And.Message.Contains("No load was sent.")
                .And.Message.Contains(TestBrokerOptions.TopicPrefixVariable)
        );
        Assert.That(measurement.Runs, Is.Empty);
    }
}
