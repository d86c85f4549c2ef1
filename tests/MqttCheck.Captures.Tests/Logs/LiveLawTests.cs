using System.Diagnostics;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Captures;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>
/// The embedded broker takes a time of a known law for each answer, live, and is captured for ten minutes. The model of
/// the capture has that law, and so has that of one connection in a hundred. Seed 55.
/// </summary>
[TestFixture]
[Explicit("eleven minutes")]
internal sealed class LiveLawTests : DirectoryFixture
{
    private const int Clients = 400;
    private const double Largest = .05;

    // A capture begins with a few connections that say nothing.
    private const string OneInAHundred = "tcp.stream >= 100 && tcp.stream < 104";

    private const string Profile = """
        {
          "name": "sensors", "waitMilliseconds": { "uniform": [0, 2000] }, "weights": { "publish": 1 },
          "topicName": "plant/{client}", "payloadBytes": [12, 40], "qos": 1, "session": "clean",
          "sequenceLength": 1000
        }
        """;

    [TestCase(600)]
    [Platform("Linux")]
    public async Task The_law_of_a_live_broker_is_found_from_ten_minutes(int seconds)
    {
        Missing.Require("tshark", "apt-get install tshark");
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Delays = DelayPlan.Parse("lognormal:4ms,0.6", "test") }
        );
        var (capture, reason) = await PacketCapture.TryStartAsync(broker.Address, CancellationToken.None);
        if (capture is null)
        {
            Missing.Report(reason);
            return;
        }
        await using (capture)
        {
            var population = ProfileFile.Parse(System.Text.Encoding.UTF8.GetBytes(Profile), "sensors");
            var setup = FleetSetup.For(broker, population, Clients, FleetSetup.NewPrefix()) with
            {
                Seed = 55,
                Duration = TimeSpan.FromSeconds(seconds),
            };
            new FleetRun(setup, new ExchangeList()).Run();
            await capture.StopAsync();
            File.Copy(capture.FilePath, In("all.pcapng"));
        }
        Process.Start("tshark", ["-r", In("all.pcapng"), "-w", In("some.pcapng"), "-Y", OneInAHundred]).WaitForExit();

        var (all, some) = (Distance("all"), Distance("some"));

        Assert.That(all, Is.LessThanOrEqualTo(Largest));
        Assert.That(some, Is.LessThanOrEqualTo(Largest));
    }

    private double Distance(string name)
    {
        var folder = Directory.CreateDirectory(In(name)).FullName;
        var log = Turned.OfFile(In($"{name}.pcapng"), folder).Log;
        var (distance, blocks) = LawDistance.Of(log, new LogNormalLaw(4, .6));
        TestContext.Out.WriteLine(
            FormattableString.Invariant($"{name}: {log.Exchanges.Length} exchanges, KS {distance:0.000}, ")
                + FormattableString.Invariant($"blocks of time differ by {blocks:0.000}")
        );
        return distance;
    }
}
