using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Tests.Profiles.Workloads;

public sealed class PayloadTemplateTests
{
    [Test]
    public void Fields_are_filled_in_and_every_payload_is_equally_long()
    {
        var template = Parse("""{"t":{time},"c":"{client}","n":"{number}","r":"{random:6}"}""");

        var first = Write(template, 1_700_000_000_123, 0xBEEF, (42UL << 32) | 7);
        var second = Write(template, 1_700_000_000_124, 0xBEEF, (42UL << 32) | 8);
        Assert.That(
            first,
            Does.Match("""^\{"t":1700000000123,"c":"00042","n":"0000beef0000002a00000007","r":"[a-z2-7]{6}"\}$""")
        );
        Assert.That(second, Has.Length.EqualTo(first.Length).And.Length.EqualTo(template.Bytes).And.Not.EqualTo(first));
        Assert.That(
            Write(template, 1_700_000_000_123, 0xBEEF, (42UL << 32) | 7),
            Is.EqualTo(first),
            "the same message has the same random part"
        );
    }

    [Test]
    public void The_number_is_read_back_wherever_it_stands()
    {
        var property = Prop.ForAll(
            ArbMap.Default.ArbFor<uint>(),
            ArbMap.Default.ArbFor<ulong>(),
            ArbMap.Default.ArbFor<NonNull<string>>(),
            (tag, number, text) =>
            {
                var filler = text.Get.Replace("{", "", StringComparison.Ordinal);
                var template = Parse(filler + "{number}" + filler + "{random:9}");
                var payload = Encoding.UTF8.GetBytes(filler).Length >= 0 ? WriteBytes(template, 0, tag, number) : [];
                return PayloadTemplate.TryRead(payload, tag, out var read) && read == number;
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithReplay(17, 3), property);
    }

    [Test]
    public void Another_runs_payload_is_not_read() =>
        Assert.That(PayloadTemplate.TryRead(WriteBytes(Parse("{number}"), 0, 5, 6), 7, out _), Is.False);

    [TestCase("no number")]
    [TestCase("{number} and {number}")]
    [TestCase("{number}{random:0}")]
    public void A_template_that_cannot_work_is_refused(string text) =>
        Assert.That(PayloadTemplate.TryParse(text, out _), Is.Not.Null);

    [Test]
    public void Other_braces_stand_for_themselves() =>
        Assert.That(Write(Parse("{a}{{number}}"), 0, 0, 0), Is.EqualTo("{a}{" + new string('0', 24) + "}"));

    private static PayloadTemplate Parse(string text)
    {
        Assert.That(PayloadTemplate.TryParse(text, out var template), Is.Null);
        return template!;
    }

    private static string Write(PayloadTemplate template, long time, uint tag, ulong number) =>
        Encoding.UTF8.GetString(WriteBytes(template, time, tag, number));

    private static byte[] WriteBytes(PayloadTemplate template, long time, uint tag, ulong number)
    {
        var payload = new byte[template.Bytes];
        template.Write(payload, time, tag, number);
        return payload;
    }
}
