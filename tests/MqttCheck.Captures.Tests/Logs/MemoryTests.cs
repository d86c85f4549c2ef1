using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Tcp;
using MqttCheck.Logs;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>The memory of a reader does not grow with its capture.</summary>
[TestFixture]
internal sealed class MemoryTests
{
    private const int Publications = 200_000;
    private const long MostGrowth = 16 << 20;

    [Test]
    [Category("Whole")]
    public void A_long_capture_takes_no_more_memory_than_its_first_quarter()
    {
        var counts = new CaptureCounts();
        var book = new ExchangeBook(new(new Nowhere(), 1000, counts), counts);
        var sides = new BrokerSides([], []);
        var connections = new TcpConnections(
            (ends, beginning) => new MqttConversation(ends, beginning, sides, book, counts),
            counts
        );
        using var capture = new EndlessCapture(Publications);
        var reader = new CaptureFileReader(capture, counts);
        var parser = new FrameParser(counts);
        var (early, most) = (0L, 0L);
        while (reader.TryRead(out var frame))
        {
            if (parser.TryParse(frame, out var segment))
                connections.Add(segment);
            if (counts.Frames % 100_000 != 0)
                continue;
            var now = GC.GetTotalMemory(forceFullCollection: true);
            if (counts.Frames == 4L * Publications / 4)
                early = now;
            most = Math.Max(most, now);
        }
        connections.End();
        book.End();

        Assert.That(counts.Exchanges, Is.EqualTo(Publications + 3));
        Assert.That(counts.UnknownEnds, Is.EqualTo(Publications / 100));
        Assert.That(early, Is.Positive);
        Assert.That(most - early, Is.LessThan(MostGrowth));
    }

    private sealed class Nowhere : IExchangeSink
    {
        public void Append(in Exchange exchange) { }
    }
}
