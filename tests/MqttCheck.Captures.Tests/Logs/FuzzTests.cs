using System.Text;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Tcp;
using MqttCheck.Logs;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>Mutated captures end without a crash, and give lines that a log may hold.</summary>
[TestFixture]
internal sealed class FuzzTests
{
    private const int Mutations = 10_000;

    // Mutation n has the seed n, so a failure says how to repeat it.
    [Test]
    public void Ten_thousand_mutated_captures_end_without_a_crash()
    {
        byte[][] originals =
        [
            Scenes.Plant().PcapNg(),
            Scenes.Plant(version: MqttCheck.Protocol.ProtocolVersion.V5).Pcap(),
            Scenes.Plant(client: "2001:db8::7", broker: "2001:db8::1").PcapNg(bigEndian: true, links: [1, 113, 276, 0]),
        ];
        var read = 0L;
        for (var seed = 0; seed < Mutations; seed++)
        {
            var bytes = Mutated(originals[seed % originals.Length], new Random(seed));
            try
            {
                read += Exchanges(bytes);
            }
            catch (InvalidDataException) when (!CaptureFormat.IsCapture(bytes))
            {
                // The magic number was hit.
            }
            catch (Exception failure)
            {
                Assert.Fail($"seed {seed}: {failure}");
            }
        }
        Assert.That(read, Is.GreaterThan(Mutations), "most of a mutated capture is still read");
    }

    /// <summary>A capture with some bytes that are others, missing or repeated.</summary>
    public static byte[] Mutated(byte[] original, Random random)
    {
        var bytes = original.ToList();
        for (var hits = random.Next(1, 8); hits > 0; hits--)
        {
            var at = random.Next(bytes.Count);
            switch (random.Next(5))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 2:
                    bytes.RemoveRange(at, Math.Min(random.Next(1, 40), bytes.Count - at));
                    break;
                case 3:
                    bytes.InsertRange(at, bytes.GetRange(at, Math.Min(random.Next(1, 40), bytes.Count - at)));
                    break;
                default:
                    bytes[at] = random.Next(2) == 0 ? (byte)0 : (byte)255;
                    break;
            }
        }
        return [.. bytes];
    }

    private static long Exchanges(byte[] bytes)
    {
        var counts = new CaptureCounts();
        var lines = new CheckedLines();
        var rows = new ExchangeRows(lines, 1000, counts);
        var book = new ExchangeBook(rows, counts);
        var sides = new BrokerSides([], []);
        var connections = new TcpConnections(
            (ends, beginning) => new MqttConversation(ends, beginning, sides, book, counts),
            counts
        );
        var reader = new CaptureFileReader(new MemoryStream(bytes), counts);
        var parser = new FrameParser(counts);
        while (reader.TryRead(out var frame))
        {
            if (parser.TryParse(frame, out var segment))
                connections.Add(segment);
        }
        connections.End();
        book.End();
        lines.Check();
        return counts.Exchanges;
    }

    private sealed class CheckedLines : IExchangeSink
    {
        private readonly byte[] _line = new byte[ExchangeLogWriter.LongestLineBytes];
        private readonly List<byte> _text =
        [
            .. Encoding.ASCII.GetBytes(string.Join(',', ExchangeColumns.Names) + "\n"),
        ];

        public void Append(in Exchange exchange) =>
            _text.AddRange(_line.AsSpan(0, ExchangeColumns.FormatLine(exchange, _line)));

        public void Check() => ExchangeLogReader.Parse([.. _text], "mutated", []);
    }
}
