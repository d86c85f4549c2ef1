using System.Buffers.Binary;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Captures;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Fleets.Requests;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets.Captures;

public sealed class CaptureTests
{
    private const int Port = 1883;

    private static readonly FleetSetup s_setup = new VirtualRun().Setup;

    [Test]
    public void Both_formats_and_both_byte_orders_give_the_same_segments([Values] bool blocks, [Values] bool bigEndian)
    {
        (long, bool, byte[])[] segments = [(1_000_000_123, true, [1, 2, 3]), (2_000_000_456, false, [4])];

        var read = CaptureReader.Read(blocks ? PcapNg(segments, bigEndian) : Pcap(segments, bigEndian));

        Assert.That(
            read.Select(segment =>
                (segment.Nanoseconds, segment.SourcePort, segment.DestinationPort, segment.Data.ToArray())
            ),
            Is.EqualTo(
                    new[]
                    {
                        (1_000_000_123L, 40_000, Port, new byte[] { 1, 2, 3 }),
                        (2_000_000_456L, Port, 40_000, new byte[] { 4 }),
                    }
                )
                .Using<(long, int, int, byte[])>(
                    (left, right) =>
                        (left.Item1, left.Item2, left.Item3) == (right.Item1, right.Item2, right.Item3)
                        && left.Item4.AsSpan().SequenceEqual(right.Item4)
                )
        );
    }

    [Test]
    public void What_is_no_capture_is_refused() =>
        Assert.That(() => CaptureReader.Read(new byte[100]), Throws.TypeOf<InvalidDataException>());

    [Test]
    public void A_cut_capture_is_read_up_to_the_cut()
    {
        var whole = Pcap([(1, true, [1]), (2, true, [2])], bigEndian: false);
        Assert.That(CaptureReader.Read(whole.AsMemory(0, whole.Length - 1)), Has.Count.EqualTo(1));
    }

    // Two publications in one segment, the second acknowledged in two segments, and one that was sent again.
    [Test]
    public void Publications_and_their_acknowledgements_are_found()
    {
        var packets = new RequestPackets(s_setup);
        var action = new ClientAction(MessageKind.Publish, 2, 40, ExchangePhase.Counted, Clean: false)
        {
            Qos = QualityOfService.AtLeastOnce,
        };
        var first = packets.Publish(action, 1, (3UL << 32) | 5, packets.OfGroup(0), aliases: null).ToArray();
        var second = packets.Publish(action, 2, (3UL << 32) | 9, packets.OfGroup(0), aliases: null).ToArray();
        CapturedSegment[] segments =
        [
            new(10, 40_000, Port, 100, first),
            new(20, 40_000, Port, 100, first),
            new(30, Port, 40_000, 7, new byte[] { 0x40, 2, 0, 1 }),
            new(40, 40_000, Port, 100 + (uint)first.Length, second.AsMemory(0, 10)),
            new(50, 40_000, Port, 110 + (uint)first.Length, second.AsMemory(10)),
            new(60, Port, 40_000, 11, new byte[] { 0x40, 2 }),
            new(70, Port, 40_000, 13, new byte[] { 0, 2 }),
        ];

        Assert.That(
            CapturedExchanges.Find(segments, Port, s_setup),
            Is.EqualTo(new CapturedPublish[] { new(3, 5, 10, 30), new(3, 9, 40, 70) })
        );
    }

    [Test]
    public void Errors_are_tool_minus_wire_and_a_client_that_the_capture_lacks_is_left_out()
    {
        Exchange[] log =
        [
            Publish(client: 0, sent: 100, acknowledged: 200),
            Publish(client: 0, sent: 300, acknowledged: 410),
            Publish(client: 1, sent: 300, acknowledged: 400),
        ];
        CapturedPublish[] wire = [new(0, 4, 1_101_000, 1_199_000), new(0, 8, 1_302_000, 1_409_000)];

        var errors = WireErrors.Compare(log, wire, 1_000_000);

        Assert.That(
            (errors.Latency, errors.Sent, errors.Acknowledged, errors.Lateness),
            Is.EqualTo(((double[])[2, 3], (double[])[-2, -1], (double[])[1, 1], (double[])[6, 7])).Within(1e-9)
        );
        Assert.That(
            (
                errors.Unmatched,
                WireErrors.AbsoluteQuantile(errors.Sent, 0.5),
                WireErrors.AbsoluteQuantile(errors.Sent, 0.99)
            ),
            Is.EqualTo((1, 1.0, 2.0)).Within(1e-9)
        );
    }

    // With the stamps of the kernel on both sides the two programs see the same packets; the bound is that of a machine
    // under any load, since a stamp cannot be off by more than the call.
    [Test]
    [Platform("Linux")]
    [Category("Whole")]
    public async Task A_real_capture_shows_the_exchanges_of_a_fleet([Values] bool audit)
    {
        await using var broker = await Installed.MosquittoAsync();
        var (capture, reason) = await PacketCapture.TryStartAsync(broker.Address, CancellationToken.None);
        if (capture is null)
            Assert.Ignore(reason);
        await using (capture)
        {
            var setup = s_setup with
            {
                Endpoint = broker.Endpoint,
                Prefix = FleetSetup.NewPrefix(),
                KernelSendStamps = audit,
                Population = Population.Of(VirtualRun.Profile(wait: new UniformLaw(0, 20))),
            };
            var log = new ExchangeList();
            var result = new FleetRun(setup, log, createWire: options => WireFactory.Create(options)).Run();
            var start = result.StartNanoseconds + WallClock.OffsetNanoseconds(TimeProvider.System);

            var found = CapturedExchanges.Find(await capture!.StopAsync(), broker.Address.Port, setup);

            var errors = WireErrors.Compare(log.Exchanges, found, start);
            Assert.That(
                found,
                Has.Count.EqualTo(log.Exchanges.Count(exchange => exchange.Message == MessageKind.Publish))
            );
            Assert.That((errors.Unmatched, errors.Latency.Count), Is.EqualTo((0, found.Count)));
            if (audit)
                Assert.That(
                    WireErrors.AbsoluteQuantile(errors.Latency, 0.5),
                    Is.LessThan(100),
                    "microseconds; nothing here waits for a thread"
                );
        }
    }

    private static Exchange Publish(int client, double sent, double acknowledged) =>
        new()
        {
            Message = MessageKind.Publish,
            Client = client,
            IntendedMicroseconds = sent - 5,
            SentMicroseconds = sent,
            AcknowledgedMicroseconds = acknowledged,
        };

    private static byte[] Pcap(IEnumerable<(long Nanoseconds, bool ToBroker, byte[] Data)> segments, bool bigEndian)
    {
        var file = new Writer(bigEndian)
            .UInt32(0xA1B23C4D)
            .UInt16(2)
            .UInt16(4)
            .UInt32(0)
            .UInt32(0)
            .UInt32(65535)
            .UInt32(1);
        foreach (var (nanoseconds, toBroker, data) in segments)
        {
            var frame = Frame(toBroker, data);
            file.UInt32((uint)(nanoseconds / 1_000_000_000))
                .UInt32((uint)(nanoseconds % 1_000_000_000))
                .UInt32((uint)frame.Length)
                .UInt32((uint)frame.Length)
                .Raw(frame);
        }
        return file.ToArray();
    }

    private static byte[] PcapNg(IEnumerable<(long Nanoseconds, bool ToBroker, byte[] Data)> segments, bool bigEndian)
    {
        var file = new Writer(bigEndian);
        Block(
            0x0A0D0D0A,
            body => body.UInt32(0x1A2B3C4D).UInt16(1).UInt16(0).UInt32(uint.MaxValue).UInt32(uint.MaxValue)
        );
        // An interface of Ethernet with a name, and nanoseconds.
        Block(
            1,
            body =>
                body.UInt16(1)
                    .UInt16(0)
                    .UInt32(0)
                    .UInt16(2)
                    .UInt16(2)
                    .Raw([(byte)'l', (byte)'o', 0, 0])
                    .UInt16(9)
                    .UInt16(1)
                    .Raw([9, 0, 0, 0])
                    .UInt16(0)
                    .UInt16(0)
        );
        foreach (var (nanoseconds, toBroker, data) in segments)
        {
            var frame = Frame(toBroker, data);
            Block(
                6,
                body =>
                    body.UInt32(0)
                        .UInt32((uint)(nanoseconds >> 32))
                        .UInt32((uint)nanoseconds)
                        .UInt32((uint)frame.Length)
                        .UInt32((uint)frame.Length)
                        .Raw(frame)
                        .Raw(new byte[(4 - frame.Length % 4) % 4])
            );
        }
        return file.ToArray();

        void Block(uint type, Action<Writer> write)
        {
            var body = new Writer(bigEndian);
            write(body);
            var bytes = body.ToArray();
            file.UInt32(type).UInt32((uint)bytes.Length + 12).Raw(bytes).UInt32((uint)bytes.Length + 12);
        }
    }

    // Ethernet, IPv4, TCP.
    private static byte[] Frame(bool toBroker, byte[] data)
    {
        var (from, to) = toBroker ? (40_000, Port) : (Port, 40_000);
        return new Writer(bigEndian: true)
            .Raw(new byte[12])
            .UInt16(0x0800)
            .Raw([0x45, 0])
            .UInt16((ushort)(40 + data.Length))
            .UInt32(0)
            .Raw([64, 6, 0, 0])
            .UInt32(0x7F000001)
            .UInt32(0x7F000001)
            .UInt16((ushort)from)
            .UInt16((ushort)to)
            .UInt32(1)
            .UInt32(1)
            .Raw([0x50, 0x18])
            .UInt16(100)
            .UInt32(0)
            .Raw(data)
            .ToArray();
    }

    private sealed class Writer(bool bigEndian)
    {
        private readonly List<byte> _bytes = [];

        public Writer UInt16(ushort value)
        {
            var bytes = new byte[2];
            if (bigEndian)
                BinaryPrimitives.WriteUInt16BigEndian(bytes, value);
            else
                BinaryPrimitives.WriteUInt16LittleEndian(bytes, value);
            return Raw(bytes);
        }

        public Writer UInt32(uint value)
        {
            var bytes = new byte[4];
            if (bigEndian)
                BinaryPrimitives.WriteUInt32BigEndian(bytes, value);
            else
                BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
            return Raw(bytes);
        }

        public Writer Raw(byte[] bytes)
        {
            _bytes.AddRange(bytes);
            return this;
        }

        public byte[] ToArray() => [.. _bytes];
    }
}
