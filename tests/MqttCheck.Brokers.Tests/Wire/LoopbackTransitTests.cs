using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Epoll;

namespace MqttCheck.Brokers.Tests.Wire;

[TestFixture]
[Platform("Linux")]
public sealed class LoopbackTransitTests
{
    [Test]
    public void It_is_measured_once()
    {
        var first = LoopbackTransit.MedianNanoseconds;
        Assert.That(first, Is.GreaterThan(0));
        Assert.That(LoopbackTransit.MedianNanoseconds, Is.EqualTo(first));
    }

    [TestCase(0L)]
    [TestCase(1_000_000_000L)]
    public void A_stamp_of_sending_with_the_transit_lies_within_the_call(long transitNanoseconds)
    {
        using var wire = new EpollWire(new WireOptions { KernelSendStamps = true })
        {
            LoopbackTransitNanoseconds = transitNanoseconds,
        };
        var stamps = new List<(long Before, SendStamp Stamp, long After)>();
        var before = 0L;
        var client = new ScriptedHandler
        {
            Connected = Send,
            Sent = (_, stamp) => stamps.Add((before, stamp, wire.NowNanoseconds)),
            Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
            {
                if (stamps.Count < 200)
                    Send(connection);
                else
                    wire.Stop();
                return bytes.Length;
            },
        };
        var server = new ScriptedHandler
        {
            Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp _) =>
            {
                connection.Send(bytes);
                return bytes.Length;
            },
        };
        wire.Connect(
            new WireEndpoint(wire.Listen(new WireListener(new IPEndPoint(IPAddress.Loopback, 0)), () => server)),
            client
        );
        wire.Run();
        Assert.That(
            stamps.Where(sent => sent.Stamp.Nanoseconds < sent.Before || sent.Stamp.Nanoseconds > sent.After),
            Is.Empty
        );
        Assert.That(
            stamps.Count(sent => sent.Stamp.BoundNanoseconds == 0),
            Is.GreaterThan(0),
            "the kernel stamps what is sent"
        );

        void Send(WireConnection connection)
        {
            before = wire.NowNanoseconds;
            connection.Send(new byte[20]);
        }
    }
}
