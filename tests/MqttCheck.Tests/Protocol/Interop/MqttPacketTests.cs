using System.Text.Json;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MqttCheck.Tests.Protocol.Fuzzing;

namespace MqttCheck.Tests.Protocol.Interop;

/// <summary>
/// npm's mqtt-packet reads our packets and writes them again: it must understand them, and our decoder must understand
/// what it writes.
/// </summary>
public sealed class MqttPacketTests
{
    private const string Install = "install Node.js 20 or later with npm";

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    [Category("Whole")]
    public async Task Mqtt_packet_and_we_read_each_other(ProtocolVersion version)
    {
        var packets = SamplePackets.For(version);
        var requests = packets.Select(packet =>
            JsonSerializer.Serialize(
                new { version = (int)version, hex = Convert.ToHexStringLower(PacketEncoder.Encode(packet, version)) }
            )
        );
        var output = await ExternalTool.Run(
            "node",
            ["judge.mjs"],
            Install,
            string.Join('\n', requests),
            await InstalledDirectory()
        );
        var answers = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.That(answers, Has.Length.EqualTo(packets.Count));
        foreach (var (packet, answer) in packets.Zip(answers))
        {
            using var document = JsonDocument.Parse(answer);
            var root = document.RootElement;
            Assert.That(root.TryGetProperty("error", out var error), Is.False, $"{packet}: {error}");
            var read = root.GetProperty("packets")[0];
            Assert.That(read.GetProperty("cmd").GetString(), Is.EqualTo(packet.Type.ToString().ToLowerInvariant()));

            // mqtt-packet reads but does not write a password without a user name, which 5 allows.
            if (packet is ConnectPacket { Password: not null, UserName: null })
                continue;
            Assert.That(root.TryGetProperty("refusal", out var refusal), Is.False, $"{packet}: {refusal}");
            var generated = Convert.FromHexString(root.GetProperty("generated").GetString()!);
            Assert.That(PacketDecoder.Decode(generated, version), Is.EqualTo(packet));
        }
    }

    // npm writes into the build's output, never into the source folder.
    private static async Task<string> InstalledDirectory()
    {
        var source = RepositoryFiles.At("tests/MqttCheck.Tests/Protocol/Interop/mqtt-packet");
        var target = Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, "mqtt-packet")).FullName;
        foreach (var file in Directory.GetFiles(source))
            File.Copy(file, Path.Combine(target, Path.GetFileName(file)), overwrite: true);
        if (!Directory.Exists(Path.Combine(target, "node_modules", "mqtt-packet")))
            await ExternalTool.Run(
                "npm",
                ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                Install,
                directory: target,
                mayFailOffline: true
            );
        return target;
    }
}
