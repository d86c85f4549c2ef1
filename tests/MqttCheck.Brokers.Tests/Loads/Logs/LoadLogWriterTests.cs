using System.Globalization;
using System.IO.Compression;
using System.Text;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Loads.Logs;

public sealed class LoadLogWriterTests : DirectoryFixture
{
    private static readonly LoadMessage s_message = new()
    {
        Publisher = 7,
        Number = 12_345_678_901,
        IsWarmUp = false,
        IsOffline = true,
        IsReordered = true,
        Qos = QualityOfService.AtLeastOnce,
        PayloadBytes = 100,
        IntendedNanoseconds = -1_005,
        SentNanoseconds = 2_000_000_042,
        SendBoundNanoseconds = 750,
        AcknowledgedNanoseconds = LoadMessage.None,
        DeliveredNanoseconds = 2_000_300_999,
        Deliveries = 1,
        Outcome = LoadOutcome.Delivered,
    };

    private static readonly LoadRepeat s_repeat = new(
        7,
        12_345_678_901,
        QualityOfService.ExactlyOnce,
        99,
        2_000_400_000,
        IsRedelivery: true
    );

    [TestCase("messages.csv")]
    [TestCase("messages.csv.gz")]
    public void A_line_for_each_message(string name)
    {
        var path = In(name);
        using (var writer = new LoadLogWriter(path))
        {
            for (var index = 0; index < 50_000; index++)
                writer.Append(s_message with { Number = index });
            writer.Append(s_message);
            writer.AppendRepeat(s_repeat);
            writer.Conclude(LoadVerdict.Invalid);
        }
        var lines = Read(path).Split('\n');
        Assert.That(
            lines[0],
            Is.EqualTo(
                "publisher,number,phase,qos,payload_bytes,intended_us,sent_us,"
                    + "send_bound_us,ack_us,delivered_us,deliveries,reordered,offline,outcome"
            )
        );
        Assert.That(
            lines[^4],
            Is.EqualTo("7,12345678901,counted,1,100,-1.005,2000000.042,0.750,,2000300.999,1,1,1,delivered")
        );
        Assert.That(lines[^3], Is.EqualTo("7,12345678901,repeat,2,99,,,,,2000400.000,0,0,0,redelivery"));
        Assert.That((lines[^2], lines.Length), Is.EqualTo(("-1,50001,run,0,0,,,,,,0,0,0,invalid", 50_005)));
    }

    // 500 messages of a fixed seed.
    [Test]
    public void Every_field_of_a_message_is_in_its_line()
    {
        var random = RandomStream.For(17);
        var buffer = new byte[256];
        for (var number = 0L; number < 500; number++)
        {
            var message = new LoadMessage
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
            object[] fields =
            [
                message.Publisher,
                number,
                message.IsWarmUp ? "warm-up" : "counted",
                (int)message.Qos,
                message.PayloadBytes,
                Microseconds(message.IntendedNanoseconds),
                Microseconds(message.SentNanoseconds),
                Microseconds(message.SendBoundNanoseconds),
                Microseconds(message.AcknowledgedNanoseconds),
                Microseconds(message.DeliveredNanoseconds),
                message.Deliveries,
                message.IsReordered ? 1 : 0,
                message.IsOffline ? 1 : 0,
                $"{message.Outcome}".ToLowerInvariant(),
            ];
            var used = LoadLine.Format(LoadLine.Of(message), buffer);
            Assert.That(Encoding.ASCII.GetString(buffer, 0, used), Is.EqualTo(string.Join(',', fields) + "\n"));
        }
        static long Time(ref RandomStream random) =>
            random.NextInt(5) == 0 ? LoadMessage.None : (long)(random.NextDouble() * 2e12) - 1_000_000;
        static string Microseconds(long nanoseconds) =>
            nanoseconds == LoadMessage.None
                ? ""
                : (nanoseconds / 1000m).ToString("0.000", CultureInfo.InvariantCulture);
    }

    [Test]
    public void The_longest_line_fits()
    {
        var buffer = new byte[256];
        var used = LoadLine.Format(
            LoadLine.Of(
                s_message with
                {
                    Publisher = int.MaxValue,
                    Number = long.MaxValue,
                    IsWarmUp = true,
                    PayloadBytes = int.MaxValue,
                    IntendedNanoseconds = -long.MaxValue,
                    SentNanoseconds = -long.MaxValue,
                    AcknowledgedNanoseconds = -long.MaxValue,
                    DeliveredNanoseconds = -long.MaxValue,
                    Deliveries = int.MaxValue,
                    Outcome = LoadOutcome.Unacknowledged,
                }
            ),
            buffer
        );
        Assert.That(used, Is.LessThan(buffer.Length));
    }

    [Test]
    public void A_full_disk_is_said_and_what_was_written_stays()
    {
        var disk = new SmallDisk(100_000);
        var writer = new LoadLogWriter("messages.csv", disk);
        Assert.That(
            () =>
            {
                for (var index = 0; index < 1_000_000; index++)
                    writer.Append(s_message);
            },
            Throws.TypeOf<IOException>().With.Message.Contains("messages.csv: no space")
        );
        writer.Dispose();
        Assert.That(Encoding.ASCII.GetString(disk.Bytes), Does.StartWith("publisher,number,"));
    }

    [Test]
    public void A_file_that_exists_is_not_overwritten()
    {
        var path = In("messages.csv");
        File.WriteAllText(path, "");
        Assert.That(
            () => new LoadLogWriter(path),
            Throws.TypeOf<InputException>().With.Message.Contains("exists already")
        );
    }

    private static string Read(string path)
    {
        using var file = File.OpenRead(path);
        using Stream stream = path.EndsWith(".gz", StringComparison.Ordinal)
            ? new GZipStream(file, CompressionMode.Decompress)
            : file;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }

    private sealed class SmallDisk(int capacity) : MemoryStream
    {
        public byte[] Bytes { get; private set; } = [];

        public override void Write(byte[] buffer, int offset, int count)
        {
            if (Length + count > capacity)
                throw new IOException("no space left on device");
            base.Write(buffer, offset, count);
        }

        protected override void Dispose(bool disposing)
        {
            Bytes = ToArray();
            base.Dispose(disposing);
        }
    }
}
