using System.Globalization;
using System.Text.RegularExpressions;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Defects;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MqttCheck.Tests.Protocol.Fuzzing;

namespace MqttCheck.Tests.Protocol.Interop;

/// <summary>Wireshark's dissector reads our packets: no malformed mark, and the fields we meant.</summary>
public sealed class TsharkTests
{
    // What MQTTnet reads field by field, in random packets of every kind, Wireshark takes for packets of their types.
    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    [Category("Whole")]
    public async Task Packets_bear_no_malformed_mark_and_their_type(ProtocolVersion version)
    {
        Packet[] packets = [.. SamplePackets.For(version), .. PacketGenerators.Packet(version).Sample(300, 100)];
        var json = await Tshark(
            packets.Select(packet =>
            {
                var bytes = PacketEncoder.Encode(packet, version);
                var isOfClient = PacketDecoder.Observe(bytes, version, PacketOrigin.Client).IsLegal;
                return (isOfClient ? PacketOrigin.Client : PacketOrigin.Server, bytes);
            })
        );
        Assert.That(json, Does.Not.Contain("_ws.malformed"));
        Assert.That(
            Regex.Matches(json, "\"mqtt.msgtype\": \"(\\d+)\"").Select(match => match.Groups[1].Value),
            Is.EqualTo(packets.Select(packet => ((int)packet.Type).ToString(CultureInfo.InvariantCulture)))
        );
    }

    [Test]
    public async Task Tshark_does_mark_a_broken_packet()
    {
        var connect = new ConnectPacket { ClientId = "c" };
        var publish = PacketDefects
            .Find("remaining-length-not-shortest")
            .Encode(new PublishPacket { Topic = "a" }, ProtocolVersion.V5);
        byte[] cut = [0x30, 3, 0, 9, (byte)'a'];
        var json = await Tshark([
            (PacketOrigin.Client, PacketEncoder.Encode(connect, ProtocolVersion.V5)),
            (PacketOrigin.Client, publish),
            (PacketOrigin.Client, cut),
        ]);
        Assert.That(json, Does.Contain("_ws.malformed"));
    }

    private static async Task<string> Tshark(IEnumerable<(PacketOrigin, byte[])> packets)
    {
        // A name of its own, because the same tests may run twice at once.
        var path = Path.Combine(Path.GetTempPath(), $"{Path.GetRandomFileName()}.pcap");
        try
        {
            CaptureFile.Write(path, packets);
            return await ExternalTool.Run("tshark", ["-n", "-r", path, "-T", "json"], "apt-get install tshark");
        }
        finally
        {
            File.Delete(path);
        }
    }
}
