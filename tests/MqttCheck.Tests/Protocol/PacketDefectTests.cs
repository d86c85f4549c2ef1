using System.Reflection;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Defects;
using MqttCheck.Protocol.Packets;
using MqttCheck.Tests.Protocol.Fuzzing;

namespace MqttCheck.Tests.Protocol;

public sealed class PacketDefectTests
{
    private static readonly ProtocolVersion[] Versions = [ProtocolVersion.V311, ProtocolVersion.V5];

    [Test]
    public void Every_defect_breaks_the_statement_it_cites_in_every_packet_it_applies_to()
    {
        var tried = new HashSet<(PacketDefect, ProtocolVersion)>();
        foreach (var version in Versions)
        {
            // A 3.1.1 connection has no AUTH to break, but one can be sent.
            foreach (
                var packet in SamplePackets
                    .For(version)
                    .Append(new AuthPacket { Properties = new PacketProperties { AuthenticationMethod = "m" } })
            )
            {
                foreach (var defect in PacketDefects.For(packet.Type, version))
                {
                    var bytes = defect.Encode(packet, version);
                    tried.Add((defect, version));
                    var what = $"{defect.Name} in {packet} ({version})";
                    var error = Assert.Throws<ProtocolException>(
                        () => PacketDecoder.Decode(bytes, version, defect.Origin),
                        what
                    )!;
                    Assert.That(error.Statement, Is.EqualTo(defect.Statement(version)), what);
                    Assert.That(error.ReasonCode, Is.EqualTo(defect.ReasonCode), what);
                    var observed = PacketDecoder.Observe(bytes, version, defect.Origin);
                    Assert.That(observed.Violations[0].Statement, Is.EqualTo(defect.Statement(version)), what);
                    Assert.That(
                        PacketFuzzer.Check(
                            bytes,
                            version,
                            defect.Origin,
                            PacketDecoder.LeastMemoryLimitBytes,
                            out _,
                            out _
                        ),
                        Is.Null,
                        what
                    );
                }
            }
        }
        var possible =
            from defect in PacketDefects.All
            from version in Versions
            where Enum.GetValues<PacketType>().Any(type => defect.AppliesTo(type, version))
            select (defect, version);
        Assert.That(tried, Is.EquivalentTo(possible));
    }

    [Test]
    public void Every_rule_that_the_decoder_checks_has_a_defect()
    {
        // A packet from the wrong side, or beyond what a receiver has room for, is not a fault of its bytes.
        Rule[] without = [Rules.Direction, Rules.MemoryLimit];
        var rules = typeof(Rules)
            .GetFields(BindingFlags.NonPublic | BindingFlags.Static)
            .Select(field => (Rule)field.GetValue(null)!);
        Assert.That(rules.Except(without).Except(PacketDefects.All.Select(defect => defect.Rule)), Is.Empty);
    }

    [Test]
    public void Names_are_unique_and_found()
    {
        Assert.That(PacketDefects.All.Select(defect => defect.Name), Is.Unique);
        Assert.That(PacketDefects.Find("qos-3").Statement(ProtocolVersion.V5), Is.EqualTo("MQTT-3.3.1-4"));
        Assert.That(() => PacketDefects.Find("qos-4"), Throws.TypeOf<InputException>().With.Message.Contains("qos-3"));
    }

    [Test]
    public void A_defect_refuses_packets_that_it_does_not_exist_for()
    {
        var defect = PacketDefects.Find("topic-alias-0");
        Assert.That(() => defect.Encode(new PingreqPacket(), ProtocolVersion.V5), Throws.ArgumentException);
        Assert.That(
            () => defect.Encode(new PublishPacket { Topic = "a" }, ProtocolVersion.V311),
            Throws.ArgumentException
        );
    }
}
