using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Loads.Logs;

public sealed class LoadLogReaderTests
{
    private const string Header =
        "publisher,number,phase,qos,payload_bytes,intended_us,sent_us,"
        + "send_bound_us,ack_us,delivered_us,deliveries,reordered,offline,outcome\n";
    private const string Line = "0,3,counted,1,100,1.000,2.500,0.250,7.000,8.125,1,0,0,delivered\n";
    private const string Repeat = "0,3,repeat,1,100,,,,,9.000,0,0,0,duplicate\n";
    private const string Run = "-1,1,run,0,0,,,,,,0,0,0,valid\n";

    private string _directory = "";

    [SetUp]
    public void Make_a_directory() => _directory = Directory.CreateTempSubdirectory("mqttcheck-test-").FullName;

    [TearDown]
    public void Delete_the_directory() => Directory.Delete(_directory, recursive: true);

    [TestCase("messages.csv")]
    [TestCase("messages.csv.gz")]
    public void A_log_is_read_as_it_was_written(string name)
    {
        var path = Path.Combine(_directory, name);
        var random = RandomStream.For(17);
        var messages = new List<LoadMessage>();
        var repeats = new List<LoadRepeat>();
        using (var writer = new LoadLogWriter(path))
        {
            for (var number = 0; number < 500; number++)
            {
                messages.Add(Random(ref random, number));
                writer.Append(messages[^1]);
                if (random.NextInt(10) > 0)
                    continue;
                repeats.Add(
                    new(
                        random.NextInt(5),
                        number,
                        (QualityOfService)random.NextInt(3),
                        random.NextInt(1000),
                        Time(ref random),
                        random.NextInt(2) == 0
                    )
                );
                writer.AppendRepeat(repeats[^1]);
            }
            writer.Conclude(LoadVerdict.Invalid);
        }

        var log = LoadLogReader.Read(path);

        using var _ = Assert.EnterMultipleScope();
        Assert.That(log.Messages, Is.EqualTo(messages));
        Assert.That(log.Repeats, Is.EqualTo(repeats));
        Assert.That(log.Verdict, Is.EqualTo(LoadVerdict.Invalid));
        Assert.That(log.Warnings, Is.Empty);
    }

    [Test]
    public void A_last_line_that_was_cut_anywhere_is_left_out_with_a_warning()
    {
        var (start, end) = (Header.Length + Line.Length, Header.Length + 2 * Line.Length - 1);
        for (var length = start + 1; length < end; length++)
        {
            var log = Read((Header + Line + Line)[..length]);
            Assert.That(log.Messages, Has.Length.EqualTo(1), $"cut at {length}");
            Assert.That(log.Verdict, Is.Null);
            Assert.That(
                log.Warnings,
                Is.EqualTo(
                    new[]
                    {
                        "log.csv:3: the last line was cut short and is left out",
                        "log.csv: the run did not come to its end; the log is whole up to its last line",
                    }
                )
            );
        }
    }

    [Test]
    public void Compressed_text_that_was_cut_is_read_as_far_as_it_goes()
    {
        var path = Path.Combine(_directory, "messages.csv.gz");
        using (var writer = new LoadLogWriter(path))
        {
            var random = RandomStream.For(18);
            for (var number = 0; number < 20_000; number++)
                writer.Append(Random(ref random, number));
        }
        var bytes = File.ReadAllBytes(path);
        File.WriteAllBytes(path, bytes[..(bytes.Length / 2)]);

        var log = LoadLogReader.Read(path);

        Assert.That(log.Messages, Has.Length.InRange(1000, 19_000));
        Assert.That(log.Verdict, Is.Null);
    }

    [TestCase(
        "delivered",
        "delivere",
        "log.csv:2: column outcome: \"delivere\" given; allowed: "
            + "delivered, lost, unacknowledged, refused, unsent, cancelled"
    )]
    [TestCase("counted", "count", "log.csv:2: column phase: \"count\" given; allowed: counted, warm-up, repeat, run")]
    [TestCase(
        "2.500",
        "2.5",
        "log.csv:2: column sent_us: \"2.5\" given; allowed: a number of microseconds with three decimals, or nothing"
    )]
    [TestCase(",1,100,", ",3,100,", "log.csv:2: column qos: \"3\" given; allowed: an integer, 0 .. 2")]
    [TestCase("0,3,", "-1,3,", "log.csv:2: column publisher: \"-1\" given; allowed: an integer, 0 .. 2147483647")]
    [TestCase(",delivered", ",delivered,", "log.csv:2: 15 fields given; allowed: 14")]
    public void A_wrong_value_is_refused_with_file_line_column_value_and_range(
        string part,
        string replacement,
        string message
    ) =>
        Assert.That(
            () => Read(Header + Line.Replace(part, replacement, StringComparison.Ordinal) + Run),
            Throws.TypeOf<InputException>().With.Message.EqualTo(message)
        );

    [Test]
    public void A_run_that_counts_other_messages_than_there_are_is_refused() =>
        Assert.That(
            () => Read(Header + Line + Line + Repeat + Run),
            Throws
                .TypeOf<InputException>()
                .With.Message.EqualTo(
                    "log.csv:5: column number: \"1\" given; allowed: 2, the number of messages before it"
                )
        );

    [Test]
    public void Nothing_comes_after_the_line_of_the_run() =>
        Assert.That(
            () => Read(Header + Line + Run + Line),
            Throws.TypeOf<InputException>().With.Message.Contains("log.csv:4: a line after that of the run")
        );

    [TestCase("")]
    [TestCase("message,active_messages\n")]
    public void Another_file_is_refused(string text) =>
        Assert.That(
            () => Read(text),
            Throws.TypeOf<InputException>().With.Message.StartsWith("log.csv:1: not a message log of this version")
        );

    [Test]
    public void A_missing_file_is_named() =>
        Assert.That(
            () => LoadLogReader.Read("no-such.csv"),
            Throws.TypeOf<InputException>().With.Message.Contains("\"no-such.csv\": there is no such file")
        );

    private static LoadLog Read(string text) => LoadLogReader.Read(new StringReader(text), "log.csv");

    private static long Time(ref RandomStream random) =>
        random.NextInt(5) == 0 ? LoadMessage.None : (long)(random.NextDouble() * 2e12) - 1_000_000;

    private static LoadMessage Random(ref RandomStream random, long number) =>
        new()
        {
            Publisher = random.NextInt(100),
            Number = number,
            IsWarmUp = random.NextInt(2) == 0,
            IsOffline = random.NextInt(2) == 0,
            IsReordered = random.NextInt(2) == 0,
            Qos = (QualityOfService)random.NextInt(3),
            PayloadBytes = random.NextInt(100_000),
            IntendedNanoseconds = Time(ref random),
            SentNanoseconds = Time(ref random),
            SendBoundNanoseconds = random.NextInt(100_000),
            AcknowledgedNanoseconds = Time(ref random),
            DeliveredNanoseconds = Time(ref random),
            Deliveries = random.NextInt(50),
            Outcome = (LoadOutcome)random.NextInt(6),
        };
}
