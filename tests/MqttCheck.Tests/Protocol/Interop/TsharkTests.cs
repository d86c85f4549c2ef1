using System.Globalization;
using System.Text.Json;
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
    // Lengths say nothing that the fields do not; reserved bits are part of hdrflags.
    private static readonly string[] Ignored = ["filtered", "mqtt.hdr_reserved", "mqtt.property_len", "mqtt.len"];

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public async Task Sample_packets_are_dissected_field_for_field(ProtocolVersion version)
    {
        var packets = SamplePackets.For(version);
        var dissected = await Dissect(packets, version);
        Assert.That(dissected, Has.Count.EqualTo(packets.Count));
        var aliases = new Dictionary<ushort, string>();
        for (var i = 0; i < packets.Count; i++)
        {
            var expected = TsharkFields.Of(packets[i], version, aliases);
            Assert.That(
                dissected[i].Count,
                Is.EqualTo(expected.Count),
                $"{packets[i]}\n{string.Join('\n', dissected[i])}"
            );
            foreach (var (seen, meant) in dissected[i].Zip(expected))
            {
                Assert.That(seen.Name, Is.EqualTo(meant.Name), packets[i].ToString());
                if (meant.Value is not null)
                    Assert.That(seen.Value, Is.EqualTo(meant.Value), $"{meant.Name} of {packets[i]}");
            }
        }
    }

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    [Category("Whole")]
    public async Task Generated_packets_bear_no_malformed_mark(ProtocolVersion version)
    {
        Packet[] packets = [SamplePackets.For(version)[0], .. PacketGenerators.Packet(version).Sample(300, 100)];
        var dissected = await Dissect(packets, version);
        Assert.That(
            dissected.Select(fields => fields.First(field => field.Name == "mqtt.msgtype").Value),
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

    private static async Task<List<List<(string Name, string Value)>>> Dissect(
        IEnumerable<Packet> packets,
        ProtocolVersion version
    )
    {
        var json = await Tshark(
            packets.Select(packet =>
            {
                var bytes = PacketEncoder.Encode(packet, version);
                return (
                    PacketDecoder.Observe(bytes, version, PacketOrigin.Client).IsLegal
                        ? PacketOrigin.Client
                        : PacketOrigin.Server,
                    bytes
                );
            })
        );
        Assert.That(json, Does.Not.Contain("_ws.malformed"));
        using var document = JsonDocument.Parse(json);
        var result = new List<List<(string, string)>>();
        foreach (var frame in document.RootElement.EnumerateArray())
        {
            foreach (
                var layer in frame
                    .GetProperty("_source")
                    .GetProperty("layers")
                    .EnumerateObject()
                    .Where(layer => layer.Name == "mqtt")
            )
            {
                var fields = new List<(string, string)>();
                Flatten(layer.Value, fields);
                result.Add(fields);
            }
        }
        return result;
    }

    private static void Flatten(JsonElement element, List<(string Name, string Value)> fields)
    {
        foreach (var property in element.EnumerateObject())
        {
            // Remarks about binary data shown as text.
            if (property.Name == "_ws.expert")
                continue;
            if (property.Value.ValueKind == JsonValueKind.Object)
                Flatten(property.Value, fields);
            else if (!Ignored.Contains(property.Name) && !property.Name.EndsWith("_len", StringComparison.Ordinal))
                fields.Add((property.Name, property.Value.GetString()!));
        }
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
