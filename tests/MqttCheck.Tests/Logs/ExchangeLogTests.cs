using System.IO.Compression;
using System.Text;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Logs;

public sealed class ExchangeLogTests : DirectoryFixture
{
    private const string Header =
        "message,active_messages,total_subscriptions,topic_size,message_size,"
        + "subscribers,receivers,latency_ms,run,client,sequence,issue_index,"
        + "intended_us,sent_us,send_bound_us,ack_us,last_delivery_us,end_us,qos,topic,phase,outcome\n";

    private const string Line =
        "publish,3,7,9,40,2,2,1.25,0,4,2,11,1000.5,1001.25,1.5,2000.125,2251.25,2251.25,1,17,counted,success\n";

    [Test]
    public void Written_exchanges_read_back_equal_whole_and_one_by_one()
    {
        var (exchanges, _) = SyntheticRun.Exchanges(
            5,
            0,
            20,
            ProfileFile.Read("up1"),
            3000,
            (in ExchangeFeatures _, ref RandomStream random) => random.NextDouble() * 20 - 1
        );
        var path = In("log.csv");
        using (var writer = new ExchangeLogWriter(path))
        {
            foreach (var exchange in exchanges)
                writer.Append(exchange);
        }
        File.AppendAllText(path, "publish,3");
        var warnings = new List<string>();
        Assert.That(exchanges, Has.Length.GreaterThan(200));
        Assert.That(
            (ExchangeLogReader.Read(path).Exchanges, ExchangeLogReader.Stream(path, warnings.Add)),
            Is.EqualTo((exchanges, exchanges))
        );
        Assert.That(warnings, Has.Count.EqualTo(1), "the last line was cut short");
    }

    [Test]
    public void File_has_the_documented_columns_and_lines()
    {
        var path = In("log.csv");
        using (var writer = new ExchangeLogWriter(path))
        {
            writer.Append(Sample);
            writer.Append(
                Sample with
                {
                    Message = MessageKind.Connect,
                    LatencyMilliseconds = double.NaN,
                    AcknowledgedMicroseconds = double.NaN,
                    LastDeliveryMicroseconds = double.NaN,
                    Topic = -1,
                    Phase = ExchangePhase.CoolDown,
                    Outcome = ExchangeOutcome.ConnectionLost,
                }
            );
        }
        Assert.That(
            File.ReadAllText(path),
            Is.EqualTo(
                Header
                    + Line
                    + "connect,3,7,9,40,2,2,,0,4,2,11,1000.5,1001.25,1.5,,,2251.25,1,-1,cool-down,connection-lost\n"
            )
        );
    }

    [Test]
    public void Flush_makes_the_file_whole_up_to_the_last_exchange_while_writing_goes_on()
    {
        var path = In("log.csv");
        using var writer = new ExchangeLogWriter(path);
        for (var i = 0; i < 3; i++)
        {
            writer.Append(Sample);
            writer.Flush();
            Assert.That(ReadShared(path), Is.EqualTo(Header + string.Concat(Enumerable.Repeat(Line, i + 1))));
        }
    }

    [Test]
    public void Exchanges_reach_the_file_without_a_flush()
    {
        var path = In("log.csv");
        using var writer = new ExchangeLogWriter(path);
        writer.Append(Sample);
        Assert.That(() => ReadShared(path), Is.EqualTo(Header + Line).After(5000, 10));
    }

    [Test]
    public void Nothing_is_lost_when_several_threads_append_more_than_fits_into_memory()
    {
        var path = In("log.csv");
        const int each = 60_000;
        using (var writer = new ExchangeLogWriter(path))
        {
            Parallel.For(
                0,
                2,
                client =>
                {
                    for (var i = 0; i < each; i++)
                        writer.Append(Sample with { Client = client, IssueIndex = i });
                }
            );
            Assert.That(writer.Appended, Is.EqualTo(2 * each));
        }
        var log = ExchangeLogReader.Read(path);
        foreach (var client in log.Exchanges.GroupBy(exchange => exchange.Client))
            Assert.That(
                client.Select(exchange => exchange.IssueIndex),
                Is.EqualTo(Enumerable.Range(0, each).Select(i => (long)i))
            );
    }

    [Test]
    public void Existing_log_is_never_overwritten()
    {
        var path = In("log.csv");
        File.WriteAllText(path, "precious");
        Assert.That(
            () => new ExchangeLogWriter(path),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo($"log {path}: the file exists already; allowed: a new file")
        );
        Assert.That(File.ReadAllText(path), Is.EqualTo("precious"));
    }

    [Test]
    [Platform(Include = "Linux", Reason = "/dev/full is the disk that is always full")]
    public void Full_disk_is_reported_to_the_owner()
    {
        using var device = new FileStream(
            "/dev/full",
            FileMode.Open,
            FileAccess.Write,
            FileShare.ReadWrite,
            bufferSize: 0
        );
        var writer = new ExchangeLogWriter("device", device);
        writer.Append(Sample);
        Assert.That(writer.Flush, Throws.InstanceOf<IOException>().With.Message.StartsWith("log device: "));
        Assert.That(() => writer.Append(Sample), Throws.InstanceOf<IOException>());
        Assert.That(writer.Dispose, Throws.Nothing, "the failure has been reported");
    }

    [Test]
    [Platform(Include = "Linux", Reason = "/dev/full is the disk that is always full")]
    public void Full_disk_that_shows_only_at_the_end_is_reported_by_Dispose()
    {
        using var device = new FileStream(
            "/dev/full",
            FileMode.Open,
            FileAccess.Write,
            FileShare.ReadWrite,
            bufferSize: 0
        );
        var writer = new ExchangeLogWriter("device", device);
        writer.Append(Sample);
        Assert.That(writer.Dispose, Throws.InstanceOf<IOException>());
        Assert.That(writer.Dispose, Throws.Nothing);
    }

    // The disk takes 3000 bytes and then no more, in the middle of a line.
    [Test]
    public void What_was_written_before_the_disk_was_full_stays_readable()
    {
        var path = In("log.csv");
        File.WriteAllText(path, Header);
        var writer = new ExchangeLogWriter(path, new SmallDisk(path, 3000));
        for (var i = 0; i < 100; i++)
            writer.Append(Sample with { IssueIndex = i });
        Assert.That(writer.Dispose, Throws.InstanceOf<IOException>().With.Message.Contains("No space left"));

        var log = ExchangeLogReader.Read(path);

        using var _ = Assert.EnterMultipleScope();
        Assert.That(
            log.Exchanges.Select(exchange => exchange.IssueIndex),
            Is.EqualTo(Enumerable.Range(0, log.Exchanges.Length)).And.Not.Empty
        );
        Assert.That(log.Warnings[0], Does.EndWith("the last line was cut short and is left out"));
    }

    [TestCase("0.1")]
    [TestCase("123456789012.345")]
    [TestCase("9007199254740993")]
    [TestCase("0.000001")]
    [TestCase("-0.5")]
    [TestCase("1e-7")]
    [TestCase("5.")]
    [TestCase(".5")]
    public void Numbers_are_read_to_the_nearest_double(string number) =>
        Assert.That(
            Parse(Header + Line.Replace("1.25,0", number + ",0")).Single().LatencyMilliseconds,
            Is.EqualTo(double.Parse(number, System.Globalization.CultureInfo.InvariantCulture))
        );

    [Test]
    public void Cut_last_line_is_left_out_with_a_warning_wherever_it_was_cut()
    {
        var whole = Encoding.UTF8.GetBytes(Header + Line + Line);
        var (start, complete) = (Header.Length + Line.Length, whole.Length - 1);
        for (var length = start + 1; length < complete; length++)
        {
            var warnings = new List<string>();
            var exchanges = ExchangeLogReader.Parse(whole[..length], "log.csv", warnings);
            Assert.That(exchanges, Has.Length.EqualTo(1), $"cut at {length}");
            Assert.That(warnings, Is.EqualTo(new[] { "log.csv:3: the last line was cut short and is left out" }));
        }
        foreach (var length in new[] { start, complete, whole.Length })
        {
            var warnings = new List<string>();
            Assert.That(
                ExchangeLogReader.Parse(whole[..length], "log.csv", warnings),
                Has.Length.EqualTo(length == start ? 1 : 2)
            );
            Assert.That(warnings, Is.Empty);
        }
    }

    [TestCase(
        "publish,",
        "ping,",
        "log.csv:2: column message: \"ping\" given; allowed: connect, disconnect, publish, subscribe, unsubscribe"
    )]
    [TestCase(
        "publish,3,",
        "publish,0,",
        "log.csv:2: column active_messages: \"0\" given; allowed: an integer, at least 1"
    )]
    [TestCase(
        "publish,3,",
        "publish,3.0,",
        "log.csv:2: column active_messages: \"3.0\" given; allowed: an integer, at least 1"
    )]
    [TestCase("1.25,0", "\"1,25\",0", "log.csv:2: column latency_ms: \"1,25\" given; allowed: a finite number")]
    [TestCase("1.25,0", "NaN,0", "log.csv:2: column latency_ms: \"NaN\" given; allowed: a finite number")]
    [TestCase("1.25,0", "1e999,0", "log.csv:2: column latency_ms: \"1e999\" given; allowed: a finite number")]
    [TestCase("1001.25,", ",", "log.csv:2: column sent_us: \"\" given; allowed: a finite number")]
    [TestCase(",1,17,", ",3,17,", "log.csv:2: column qos: \"3\" given; allowed: an integer, 0 .. 2")]
    [TestCase("counted", "2", "log.csv:2: column phase: \"2\" given; allowed: warm-up, counted, cool-down, reset")]
    [TestCase(
        "success",
        "succes",
        "log.csv:2: column outcome: \"succes\" given; allowed: success, "
            + "timeout, connection-lost, refused, violation, cancelled"
    )]
    [TestCase(",success", ",success,", "log.csv:2: 23 fields given; allowed: 22")]
    [TestCase("publish,", "", "log.csv:2: 21 fields given; allowed: 22")]
    public void Wrong_value_is_refused_with_file_line_column_value_and_range(
        string part,
        string replacement,
        string message
    )
    {
        var text = Header + Line.Replace(part, replacement) + Line;
        var failure = Assert.Throws<InputException>(() => Parse(text));
        Assert.That(failure!.Message, Is.EqualTo(message));
    }

    [Test]
    public void First_ten_findings_come_at_once()
    {
        var text = Header + string.Concat(Enumerable.Repeat(Line.Replace("success", "x").Replace("counted", "y"), 20));
        var failure = Assert.Throws<InputException>(() => Parse(text));
        Assert.That(failure!.Message.Split('\n'), Has.Length.EqualTo(10));
    }

    [Test]
    public void Columns_may_come_in_any_order()
    {
        var columns = Header.TrimEnd().Split(',');
        var values = Line.TrimEnd().Split(',');
        Array.Reverse(columns);
        Array.Reverse(values);
        Assert.That(
            Parse(string.Join(',', columns) + "\n" + string.Join(',', values) + "\n").Single(),
            Is.EqualTo(Sample)
        );
    }

    [TestCase(
        "end_us,",
        "",
        "log.csv:1: not an exchange log of this version: missing columns end_us; allowed: message, active_messages"
    )]
    [TestCase(
        "end_us",
        "finished",
        "log.csv:1: not an exchange log of this version: missing "
            + "columns end_us; unknown columns \"finished\"; allowed: message"
    )]
    [TestCase(
        "end_us",
        "end_us,end_us",
        "log.csv:1: not an exchange log of this version: a column is given twice; allowed: message"
    )]
    public void Other_columns_are_refused(string part, string replacement, string message)
    {
        var failure = Assert.Throws<InputException>(() => Parse(Header.Replace(part, replacement) + Line));
        Assert.That(failure!.Message, Does.StartWith(message));
    }

    [TestCase("")]
    [TestCase("not a log at all")]
    [TestCase("message;active_messages\n1;2\n")]
    public void Other_files_are_refused(string text) =>
        Assert.That(
            () => Parse(text),
            Throws
                .InstanceOf<InputException>()
                .With.Message.StartsWith("log.csv:1: not an exchange log of this version: missing columns ")
        );

    [Test]
    public void Missing_log_is_one_clear_message()
    {
        var failure = Assert.Throws<InputException>(() => ExchangeLogReader.Read(In("none.csv")));
        Assert.That(
            failure!.Message,
            Is.EqualTo(
                $"log \"{In("none.csv")}\": there is no such file; "
                    + "allowed: the path of a CSV file written by an exploration"
            )
        );
    }

    [Test]
    public void Compressed_log_is_the_log_with_the_file_beside_it()
    {
        var plain = In("log.csv");
        File.WriteAllText(plain, Header + string.Concat(Enumerable.Repeat(Line, 5000)));
        RunInformationFile.Write(
            plain,
            RunInformation.DerivedFrom(ExchangeLogReader.Read(plain).Exchanges) with
            {
                Seed = 17,
            }
        );
        var expected = ExchangeLogReader.Read(plain);
        var path = Compressed(File.ReadAllBytes(plain), "log.csv.gz");

        var log = ExchangeLogReader.Read(path);
        Assert.That(log.Exchanges, Is.EqualTo(expected.Exchanges));
        Assert.That(
            (log.Information.Seed, log.Sha256),
            Is.EqualTo((17UL, expected.Sha256)),
            "the information and the hash of the text"
        );
        Assert.That(ExchangeLogReader.Stream(path, _ => { }), Is.EqualTo(expected.Exchanges));
    }

    [Test]
    public void Compressed_log_that_is_none_is_refused()
    {
        var path = In("log.csv.gz");
        File.WriteAllText(path, Header + Line);
        Assert.That(
            () => ExchangeLogReader.Read(path),
            Throws
                .InstanceOf<InputException>()
                .With.Message.Contains("log.csv.gz")
                .And.Message.Contains("compressed by gzip if the name ends in .gz")
        );
    }

    [Test]
    public void Log_without_the_file_beside_it_is_read_with_a_warning()
    {
        var path = In("log.csv");
        File.WriteAllText(path, Header + Line);
        var log = ExchangeLogReader.Read(path);
        Assert.That(
            log.Warnings.Single(),
            Does.EndWith("log.run.json: there is no such file; broker, machine and seed of the log are unknown")
        );
        Assert.That(
            (log.Information.Broker, log.Information.Cases.Single().Clients),
            Is.EqualTo((LoggedBroker.Unknown, 5))
        );
        Assert.That(
            log.Sha256,
            Is.EqualTo(Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(path))))
        );
    }

    private string Compressed(byte[] text, string name)
    {
        using var file = File.Create(In(name));
        using var gzip = new GZipStream(file, CompressionLevel.Fastest);
        gzip.Write(text);
        return file.Name;
    }

    private static Exchange Sample =>
        new()
        {
            Message = MessageKind.Publish,
            ActiveMessages = 3,
            TotalSubscriptions = 7,
            TopicSize = 9,
            MessageSize = 40,
            Subscribers = 2,
            Receivers = 2,
            LatencyMilliseconds = 1.25,
            Run = 0,
            Client = 4,
            Sequence = 2,
            IssueIndex = 11,
            IntendedMicroseconds = 1000.5,
            SentMicroseconds = 1001.25,
            SendBoundMicroseconds = 1.5,
            AcknowledgedMicroseconds = 2000.125,
            LastDeliveryMicroseconds = 2251.25,
            EndMicroseconds = 2251.25,
            Qos = QualityOfService.AtLeastOnce,
            Topic = 17,
            Phase = ExchangePhase.Counted,
            Outcome = ExchangeOutcome.Success,
        };

    private sealed class SmallDisk(string path, int room) : FileStream(path, FileMode.Append)
    {
        private int _room = room;

        public override void Write(byte[] buffer, int offset, int count)
        {
            base.Write(buffer, offset, Math.Min(count, _room));
            _room -= count;
            if (_room < 0)
                throw new IOException("No space left on device");
        }
    }

    private static System.Collections.Immutable.ImmutableArray<Exchange> Parse(string text) =>
        ExchangeLogReader.Parse(Encoding.UTF8.GetBytes(text), "log.csv", []);

    private static string ReadShared(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var reader = new StreamReader(file);
        return reader.ReadToEnd();
    }
}
