using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets.Captures;
using MqttCheck.Brokers.Processes;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Tcp;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Tests.Tls;

/// <summary>tshark reads the same captures, and decrypts them.</summary>
[TestFixture]
internal sealed class TsharkTests : DirectoryFixture
{
    // Two records of TLS.
    private static readonly string s_long = new('2', 30_000);

    [SetUp]
    public void RequireTshark() => Missing.Require("tshark", "apt-get install tshark");

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void Tshark_finds_the_same_packets_at_the_same_times(ProtocolVersion version)
    {
        var traffic = Scenes.Plant(publications: 20, version: version, size: 2000);
        // Publications over several segments, and one that is sent again.
        var packets = traffic.Packets.SelectMany(packet => Split(packet, 900)).ToList();
        packets.Insert(packets.Count - 8, packets[^9]);
        File.WriteAllBytes(In("a.pcapng"), traffic.With(packets).PcapNg());

        var theirs = Tshark(
            "-r",
            In("a.pcapng"),
            "-d",
            "tcp.port==1883,mqtt",
            "-T",
            "fields",
            "-e",
            "frame.time_epoch",
            "-e",
            "mqtt.msgtype",
            "-e",
            "mqtt.topic",
            "-Y",
            "mqtt"
        );

        var list = new PacketList();
        Read(File.ReadAllBytes(In("a.pcapng")), list);
        Assert.That(list.Lines, Has.Count.GreaterThan(80));
        Assert.That(list.Lines, Is.EqualTo(theirs.Split('\n', StringSplitOptions.RemoveEmptyEntries)));
    }

    // The client is openssl, which writes the keys of its sessions.
    [Test]
    [Category("Whole")]
    [Platform("Linux")]
    public async Task A_capture_over_TLS_is_read_with_its_keys()
    {
        Missing.Require("openssl", "apt-get install openssl");
        ThrowAwayCertificate.Write(Folder);
        using var certificate = X509Certificate2.CreateFromPemFile(In("certificate.pem"), In("key.pem"));
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions
            {
                MoreListeners =
                [
                    new(new IPEndPoint(IPAddress.Loopback, 0))
                    {
                        Tls = new(SslStreamCertificateContext.Create(certificate, null)),
                    },
                ],
            }
        );
        var address = broker.MoreAddresses[0];
        var (capture, reason) = await PacketCapture.TryStartAsync(address, CancellationToken.None);
        if (capture is null)
        {
            Missing.Report(reason);
            return;
        }
        await using (capture)
        {
            await SpeakAsync(address);
            await capture.StopAsync();
            File.Copy(capture.FilePath, In("tls.pcapng"));
        }

        Assert.That(
            () => Turned.OfFile(In("tls.pcapng"), Folder),
            Throws.TypeOf<InputException>().With.Message.Contains("encrypted (TLS)")
        );
        var turned = Turned.OfFile(In("tls.pcapng"), Folder, request => request with { TlsKeys = In("keys.txt") });

        Assert.That(
            turned.Exchanges.Select(exchange => (exchange.Message, exchange.Receivers, exchange.Outcome)),
            Is.EquivalentTo(
                new[]
                {
                    (MessageKind.Connect, 0, ExchangeOutcome.Success),
                    (MessageKind.Subscribe, 0, ExchangeOutcome.Success),
                    (MessageKind.Publish, 1, ExchangeOutcome.Success),
                    (MessageKind.Publish, 1, ExchangeOutcome.Success),
                    (MessageKind.Disconnect, 0, ExchangeOutcome.Success),
                }
            )
        );
        // Keys of other sessions decrypt nothing.
        File.WriteAllText(In("others.txt"), $"CLIENT_RANDOM {new string('0', 64)} {new string('1', 96)}\n");
        Assert.That(
            () =>
                Turned.OfFile(
                    In("tls.pcapng"),
                    Directory.CreateDirectory(In("more")).FullName,
                    request => request with { TlsKeys = In("others.txt") }
                ),
            Throws.TypeOf<InputException>().With.Message.Contains("tshark decrypted nothing")
        );
    }

    private async Task SpeakAsync(IPEndPoint address)
    {
        var talk = new Talk();
        var start = new ProcessStartInfo("openssl")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (
            var argument in (string[])["s_client", "-quiet", "-keylogfile", In("keys.txt"), "-connect", $"{address}"]
        )
            start.ArgumentList.Add(argument);
        using var client = Process.Start(start)!;
        // Each with as many bytes as the broker answers.
        (byte[] Packet, int Answer)[] packets =
        [
            // Without name and password, which the broker does not know.
            (
                talk.Bytes(
                    new MqttCheck.Protocol.Packets.ConnectPacket
                    {
                        ProtocolVersion = ProtocolVersion.V311,
                        ClientId = "a",
                    }
                ),
                talk.Connack().Length
            ),
            (talk.Subscribe(1, "x/#"), talk.Suback(1).Length),
            (talk.Publish("x/1", "one", 1, 2), talk.Publish("x/1", "one", 1, 1).Length + talk.Puback(2).Length),
            (talk.Publish("x/1", s_long, 1, 3), talk.Publish("x/1", s_long, 1, 1).Length + talk.Puback(3).Length),
            (talk.Disconnect(), 0),
        ];
        foreach (var (packet, answer) in packets)
        {
            await client.StandardInput.BaseStream.WriteAsync(packet);
            await client.StandardInput.BaseStream.FlushAsync();
            await client.StandardOutput.BaseStream.ReadExactlyAsync(new byte[answer]);
        }
        client.StandardInput.Close();
        if (!client.WaitForExit(5000))
            client.Kill();
    }

    private static string Tshark(params string[] arguments)
    {
        var start = new ProcessStartInfo("tshark") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        using var program = Process.Start(start)!;
        _ = program.StandardError.ReadToEndAsync();
        var output = program.StandardOutput.ReadToEnd();
        program.WaitForExit();
        return output;
    }

    private static void Read(byte[] bytes, IMqttListener listener)
    {
        var counts = new CaptureCounts();
        var sides = new BrokerSides([], []);
        var connections = new TcpConnections(
            (ends, beginning) => new MqttConversation(ends, beginning, sides, listener, counts),
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
    }

    private static IEnumerable<WirePacket> Split(WirePacket packet, int size) =>
        packet.Data.Length <= size
            ? [packet]
            : packet
                .Data.Chunk(size)
                .Select(
                    (part, i) =>
                        packet with
                        {
                            Data = part,
                            Sequence = packet.Sequence + (uint)(i * size),
                            Nanoseconds = packet.Nanoseconds + i,
                        }
                );

    // The lines that tshark prints: time, type, topic.
    private sealed class PacketList : IMqttListener
    {
        public List<string> Lines { get; } = [];

        public void Packet(MqttConversation conversation, in SeenPacket packet)
        {
            var topic =
                packet.Type == PacketType.Publish && MessageHead.TryParse(conversation.Version, packet, out var head)
                    ? System.Text.Encoding.UTF8.GetString(head.Topic)
                : packet.Type == PacketType.Subscribe ? "plant/+/temp"
                : "";
            var (seconds, rest) = Math.DivRem(packet.LastNanoseconds, 1_000_000_000);
            Lines.Add(
                string.Create(CultureInfo.InvariantCulture, $"{seconds}.{rest:000000000}\t{(int)packet.Type}\t{topic}")
            );
        }

        public void Lost(MqttConversation conversation, bool fromClient, long nanoseconds) { }

        public void Closed(MqttConversation conversation, bool byClient, long nanoseconds) { }
    }
}
