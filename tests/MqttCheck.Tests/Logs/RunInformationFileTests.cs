using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Logs;

public sealed class RunInformationFileTests : DirectoryFixture
{
    [Test]
    public void Written_information_reads_back_equal()
    {
        var log = In("a.csv");
        RunInformationFile.Write(log, Sample);

        var copy = RunInformationFile.TryRead(log)!;
        Assert.That(File.Exists(In("a.run.json")));
        Assert.That(
            (copy with { Engine = Sample.Engine, Cases = Sample.Cases }, copy.Engine),
            Is.EqualTo((Sample, Sample.Engine))
        );
        Assert.That(
            copy.Cases.Select(run => run with { Population = null }),
            Is.EqualTo(Sample.Cases.Select(run => run with { Population = null }))
        );
        Assert.That(
            copy.Cases.SelectMany(run => run.Population!.Groups),
            Is.EqualTo(Sample.Cases.SelectMany(run => run.Population!.Groups))
        );
    }

    [Test]
    public void Writing_again_replaces_the_file_whole()
    {
        var log = In("a.csv");
        RunInformationFile.Write(log, Sample with { Complete = false });
        RunInformationFile.Write(log, Sample);
        Assert.That(RunInformationFile.TryRead(log)!.Complete);
        Assert.That(Directory.GetFiles(Folder), Has.Length.EqualTo(1));
    }

    [Test]
    public void Missing_file_is_no_information() => Assert.That(RunInformationFile.TryRead(In("a.csv")), Is.Null);

    [TestCase("\"schema\": 1", "\"schema\": 2", ":2: schema: 2 given; allowed: 1, the version this program reads")]
    [TestCase("\"schema\": 1,", "", ":1: schema: nothing given; allowed: 1, the version this program reads")]
    [TestCase(
        "\"18446744073709551615\"",
        "\"-1\"",
        ":4: seed: \"-1\" given; allowed: an integer as a text, \"0\" .. \"18446744073709551615\""
    )]
    [TestCase(
        "\"2026-01-31T12:00:00.1230000Z\"",
        "\"soon\"",
        ":5: started: \"soon\" given; allowed: a time as 2026-01-31T12:00:00.000Z"
    )]
    [TestCase("\"coarse\": true", "\"coarse\": 1", ": coarse: 1 given; allowed: true or false")]
    [TestCase("\"clients\": 50", "\"clients\": 0", ": runs[0].clients: 0 given; allowed: an integer, 1 .. 1000001")]
    [TestCase(
        "\"purpose\": \"explore\"",
        "\"purpose\": \"fun\"",
        ": runs[0].purpose: \"fun\" given; allowed: explore, verify"
    )]
    [TestCase(
        "\"publish\": 5",
        "\"publish\": -5",
        ": runs[0].population.weights.publish: -5 given; allowed: a number, 0 .. 1000000000"
    )]
    [TestCase("\"toolVersion\"", "\"toolVersoin\"", ": toolVersion: the key is missing; allowed: a text")]
    [TestCase("\"clients\": 50", "\"clients\": 50, \"x\": 1", "messagesPerClient, started, ended, complete, ")]
    public void Wrong_files_are_refused_with_line_and_key(string part, string replacement, string message)
    {
        var log = In("a.csv");
        RunInformationFile.Write(log, Sample);
        var path = RunInformationFile.PathOf(log);
        var text = File.ReadAllText(path);
        Assert.That(text, Does.Contain(part));
        File.WriteAllText(path, text.Replace(part, replacement));
        var failure = Assert.Throws<InputException>(() => RunInformationFile.TryRead(log));
        Assert.That(failure!.Message, Does.StartWith(path).And.Contains(message));
    }

    [Test]
    public void This_machine_is_described()
    {
        var machine = MachineInformation.Current();
        Assert.That(machine.Cores, Is.Positive);
        Assert.That(new[] { machine.OperatingSystem, machine.Processor, machine.Runtime }, Has.All.Not.Empty);
    }

    private static RunInformation Sample { get; } =
        new()
        {
            ToolVersion = "0.1.0",
            Seed = ulong.MaxValue,
            Started = new DateTimeOffset(2026, 1, 31, 12, 0, 0, 123, TimeSpan.Zero),
            Broker = new(
                "mosquitto:tuned",
                "2.0.11",
                "tuned",
                new Dictionary<string, string> { ["nodelay"] = "true", ["cipher"] = "RSA+SHA" }
            ),
            Machine = new("Debian", 2, "A processor", ".NET"),
            Engine = new Dictionary<string, string> { ["wire"] = "epoll", ["timer"] = "1 ms" },
            TopicPrefix = "mqttcheck/42/",
            Coarse = true,
            Complete = true,
            Cases =
            [
                new()
                {
                    Run = 0,
                    Purpose = RunPurpose.Explore,
                    Clients = 50,
                    Population = ProfileFile.Read("up1"),
                    Duration = TimeSpan.FromSeconds(3),
                    Started = new DateTimeOffset(2026, 1, 31, 12, 0, 1, TimeSpan.Zero),
                    Ended = new DateTimeOffset(2026, 1, 31, 12, 0, 4, TimeSpan.Zero),
                },
                new()
                {
                    Run = 1,
                    Purpose = RunPurpose.Verify,
                    Clients = 100,
                    Population = ProfileFile.Read("population"),
                    MessagesPerClient = 50,
                    Complete = false,
                },
                new()
                {
                    Run = 2,
                    Purpose = RunPurpose.Verify,
                    Clients = 100,
                    Population = ProfileFile.Read("up2"),
                    Health = new()
                    {
                        Loop = LoadLoop.Closed,
                        LatencyP99Milliseconds = 12.5,
                        MeanWaitMilliseconds = 250.5,
                        LagMedianMicroseconds = 30,
                        LagP99Microseconds = 2000,
                        LagMaximumMicroseconds = 4000.25,
                        GeneratorCpuShare = 0.9,
                        StolenShare = 0.125,
                        CollectionPauses = TimeSpan.FromMilliseconds(1.5),
                        PendingBytesMaximum = 7,
                        DelayedAcknowledgementShare = 0.25,
                        HeldAnswerShare = 0.5,
                        BrokerCpuShare = 0.5,
                        BrokerResidentBytes = 1L << 33,
                    },
                    WarmUp = new(StationarityState.Reached, 1.25),
                },
            ],
        };
}
