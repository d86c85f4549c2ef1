using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Sending;

namespace MqttCheck.Conformance.Tests.Sending;

/// <summary>In which pieces the bytes of a client arrive, over a wire in memory.</summary>
[TestFixture]
internal sealed class OutboxTests
{
    [Test]
    public void A_packet_that_is_split_arrives_in_pieces_and_what_follows_comes_behind_it() =>
        Assert.That(
            Arrivals(outbox =>
            {
                outbox.Send([1, 2, 3, 4, 5], splitBytes: 2);
                outbox.Send([6]);
            }),
            Is.EqualTo(["1 2", "3 4", "5", "6"])
        );

    [Test]
    public void Packets_that_wait_for_the_next_one_arrive_with_it() =>
        Assert.That(
            Arrivals(outbox =>
            {
                outbox.Send([1, 2], withNext: true);
                outbox.Send([3], withNext: true);
                outbox.Send([4]);
            }),
            Is.EqualTo(["1 2 3 4"])
        );

    [Test]
    public void Packets_that_waited_may_be_split_with_the_next_one() =>
        Assert.That(
            Arrivals(outbox =>
            {
                outbox.Send([1, 2], withNext: true);
                outbox.Send([3, 4], splitBytes: 3);
            }),
            Is.EqualTo(["1 2 3", "4"])
        );

    [Test]
    public void What_waits_goes_when_nothing_follows() =>
        Assert.That(
            Arrivals(outbox =>
            {
                outbox.Send([1], withNext: true);
                outbox.Release();
                outbox.Release();
            }),
            Is.EqualTo(["1"])
        );

    [Test]
    public void The_end_of_a_connection_sends_everything() =>
        Assert.That(
            Arrivals(outbox =>
            {
                outbox.Send([1, 2, 3], splitBytes: 1);
                outbox.Send([4], withNext: true);
                outbox.Flush();
            }),
            Is.EqualTo(["1 2 3 4"])
        );

    [Test]
    public void A_large_packet_has_a_bounded_number_of_pieces() =>
        Assert.That(Arrivals(outbox => outbox.Send(new byte[1000], splitBytes: 1)).Count, Is.EqualTo(40));

    private static List<string> Arrivals(Action<Outbox> send)
    {
        using var wire = WireFactory.CreateInMemory(TimeSpan.FromMicroseconds(10));
        var arrived = new List<string>();
        var address = wire.Listen(new IPEndPoint(IPAddress.Loopback, 0), () => new Receiver(arrived));
        wire.Connect(new WireEndpoint(address), new Sender(wire, send));
        wire.Run();
        return arrived;
    }

    private sealed class Sender(IWire wire, Action<Outbox> send) : IWireHandler, Brokers.Wire.Timers.ITimerHandler
    {
        public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
        {
            send(new Outbox(wire, connection));
            wire.Schedule(this, wire.NowNanoseconds + 1_000_000_000, 0);
        }

        public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) => wire.Stop();

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) => bytes.Length;

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) { }
    }

    private sealed class Receiver(List<string> arrived) : IWireHandler
    {
        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) { }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            arrived.Add(string.Join(' ', bytes.ToArray()));
            return bytes.Length;
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) { }
    }
}
