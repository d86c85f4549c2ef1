using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Protocol;

public sealed class ReasonCodeTests
{
    // Where each code may stand, from the tables of sections 3.2.2.2, 3.4.2.1 to 3.7.2.1, 3.9.3, 3.11.3, 3.14.2.1 and
    // 3.15.2.1 of MQTT 5: K CONNACK, A PUBACK and PUBREC, L PUBREL and PUBCOMP, S SUBACK, U UNSUBACK, D DISCONNECT, H
    // AUTH; small letters: c client only, s server only.
    private static readonly Dictionary<int, string> Places = new()
    {
        [0x00] = "K A L S U D Hs",
        [0x01] = "S",
        [0x02] = "S",
        [0x04] = "Dc",
        [0x10] = "As",
        [0x11] = "U",
        [0x18] = "H",
        [0x19] = "Hc",
        [0x80] = "K A S U D",
        [0x81] = "K D",
        [0x82] = "K D",
        [0x83] = "K A S U D",
        [0x84] = "K",
        [0x85] = "K",
        [0x86] = "K",
        [0x87] = "K A S U Ds",
        [0x88] = "K",
        [0x89] = "K Ds",
        [0x8A] = "K",
        [0x8B] = "Ds",
        [0x8C] = "K D",
        [0x8D] = "Ds",
        [0x8E] = "Ds",
        [0x8F] = "S U Ds",
        [0x90] = "K A D",
        [0x91] = "A S U",
        [0x92] = "L",
        [0x93] = "D",
        [0x94] = "D",
        [0x95] = "K D",
        [0x96] = "D",
        [0x97] = "K A S D",
        [0x98] = "D",
        [0x99] = "K A D",
        [0x9A] = "K Ds",
        [0x9B] = "K Ds",
        [0x9C] = "K Ds",
        [0x9D] = "K Ds",
        [0x9E] = "S Ds",
        [0x9F] = "K Ds",
        [0xA0] = "Ds",
        [0xA1] = "S Ds",
        [0xA2] = "S Ds",
    };

    private static readonly (char Letter, PacketType[] Types)[] Letters =
    [
        ('K', [PacketType.Connack]),
        ('A', [PacketType.Puback, PacketType.Pubrec]),
        ('L', [PacketType.Pubrel, PacketType.Pubcomp]),
        ('S', [PacketType.Suback]),
        ('U', [PacketType.Unsuback]),
        ('D', [PacketType.Disconnect]),
        ('H', [PacketType.Auth]),
    ];

    [Test]
    public void Every_code_stands_where_the_tables_allow_it_and_nowhere_else()
    {
        Assert.That(Places.Keys, Is.EquivalentTo(Enum.GetValues<ReasonCode>().Select(code => (int)code)));
        for (var number = 0; number < 256; number++)
        {
            var entries = Places.TryGetValue(number, out var text) ? text.Split(' ') : [];
            foreach (var (letter, types) in Letters)
            {
                var entry = entries.FirstOrDefault(e => e[0] == letter);
                foreach (var type in types)
                {
                    var code = (ReasonCode)number;
                    Assert.That(code.IsAllowedIn(type), Is.EqualTo(entry is not null), $"0x{number:X2} in {type}");
                    Assert.That(
                        code.IsAllowedIn(type, PacketOrigin.Client),
                        Is.EqualTo(entry is not null && !entry.EndsWith('s')),
                        $"0x{number:X2} in {type}, client"
                    );
                    Assert.That(
                        code.IsAllowedIn(type, PacketOrigin.Server),
                        Is.EqualTo(entry is not null && !entry.EndsWith('c')),
                        $"0x{number:X2} in {type}, server"
                    );
                }
            }
        }
    }
}
