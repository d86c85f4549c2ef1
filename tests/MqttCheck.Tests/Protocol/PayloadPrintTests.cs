using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Tests.Protocol;

public sealed class PayloadPrintTests
{
    [Test]
    public void The_checksum_is_that_of_its_published_test_vector()
    {
        Assert.That(Crc32C.Of("123456789"u8), Is.EqualTo(0xe3069283));
        Assert.That(Crc32C.Of("6789"u8, Crc32C.Of("12345"u8)), Is.EqualTo(0xe3069283), "in two pieces");
    }

    [Test]
    public void A_bit_that_was_turned_over_or_a_byte_less_gives_another_print() =>
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                Gen.Choose(0, 255).Select(value => (byte)value).NonEmptyListOf().ToArbitrary(),
                bytes =>
                {
                    byte[] payload = [.. bytes];
                    var print = PayloadPrint.Of(payload);
                    for (var bit = 0; bit < payload.Length * 8; bit++)
                    {
                        var turned = payload.ToArray();
                        turned[bit / 8] ^= (byte)(1 << (bit % 8));
                        if (PayloadPrint.Of(turned) == print)
                            return false;
                    }
                    return PayloadPrint.LengthOf(print) == payload.Length
                        && PayloadPrint.Of(payload.AsSpan(1)) != print
                        && PayloadPrint.Of(payload.AsSpan(0, payload.Length - 1)) != print;
                }
            )
        );

    [Test]
    public void An_empty_payload_has_a_print_too() =>
        Assert.That(
            (PayloadPrint.Of([]), PayloadPrint.LengthOf(PayloadPrint.Of([]))),
            Is.Not.EqualTo((0L, 1)).And.EqualTo((1L << 32, 0))
        );
}
