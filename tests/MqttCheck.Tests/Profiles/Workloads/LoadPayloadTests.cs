using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Profiles.Workloads;

public sealed class LoadPayloadTests
{
    private const string Tbmq = "text:{\"createTime\":{time},\"warmUpMsg\":false,\"payload\":\"{number:base64}\"}";

    private static readonly Config s_config = Config.QuickThrowOnFailure.WithReplay(4711, 17).WithMaxTest(300);

    [TestCase("4")]
    [TestCase("100")]
    [TestCase("50..200")]
    [TestCase("lognormal:100,0.5")]
    [TestCase("text:{number}")]
    [TestCase("text:a{random:7}{publisher}/{number:base64}b{time}")]
    [TestCase(Tbmq)]
    public void The_number_comes_back(string text)
    {
        var payload = LoadPayload.Parse(text, "test");
        Check.One(
            s_config,
            Prop.ForAll(
                Gen.Choose(0, int.MaxValue).Select(part => part * 509L).ToArbitrary(),
                Gen.Choose(1, 1000).ToArbitrary(),
                (number, ahead) =>
                {
                    var random = RandomStream.For(1, (ulong)number);
                    var bytes = new byte[payload.NextBytes(ref random)];
                    payload.WritePattern(bytes);
                    payload.Fill(bytes, 12, number, 1_700_000_000_000, ref random);
                    return payload.TryReadNumber(bytes, out var low) && payload.Complete(low, number + ahead) == number;
                }
            )
        );
    }

    [Test]
    public void The_scenario_of_TBMQ_has_63_bytes()
    {
        var payload = LoadPayload.Parse(Tbmq, "test");
        var bytes = new byte[payload.MaximumBytes];
        var random = RandomStream.For(1);
        payload.WritePattern(bytes);
        payload.Fill(bytes, 0, 1, 1_700_000_000_000, ref random);
        Assert.That(
            Encoding.UTF8.GetString(bytes),
            Is.EqualTo("{\"createTime\":1700000000000,\"warmUpMsg\":false,\"payload\":\"AAAB\"}")
        );
        Assert.That(bytes, Has.Length.EqualTo(63));
        Assert.That(Convert.FromBase64String("AAAB"), Is.EqualTo((byte[])[0, 0, 1]));
    }

    [Test]
    public void Sizes_follow_their_law_and_stay_in_range()
    {
        var payload = LoadPayload.Parse("50..200", "test");
        var random = RandomStream.For(1);
        var sizes = Enumerable.Range(0, 20_000).Select(_ => payload.NextBytes(ref random)).ToList();
        Assert.That((sizes.Min(), sizes.Max()), Is.EqualTo((50, 200)));
        // The standard deviation of the mean is 43.6 / sqrt(20000) = 0.31; four of them.
        Assert.That(sizes.Average(), Is.EqualTo(125).Within(1.24));
    }

    [Test]
    public void Another_payload_is_not_taken_for_a_number()
    {
        Assert.That(LoadPayload.Parse("100", "test").TryReadNumber(new byte[99], out _), Is.False);
        Assert.That(LoadPayload.Parse("text:{number}", "test").TryReadNumber("12345x7890"u8, out _), Is.False);
        Assert.That(LoadPayload.Parse("text:{number:base64}", "test").TryReadNumber("AA*B"u8, out _), Is.False);
    }

    [Test]
    public void A_number_that_was_never_sent_is_none() =>
        Assert.That(LoadPayload.OfSize(4).Complete(7, 7), Is.EqualTo(-1));

    [TestCase("3", "4 (it carries the message's number)")]
    [TestCase("99999999", "out of range")]
    [TestCase("200..100", "smallest above its largest")]
    [TestCase("text:no place", "{number}")]
    [TestCase("text:{number}{number}", "one place")]
    [TestCase("hello", "is no payload")]
    [TestCase("lognormal:2,1", "out of range")]
    public void A_wrong_payload_is_one_message(string text, string part)
    {
        var wrong = Assert.Throws<InputException>(() => LoadPayload.Parse(text, "--payload"));
        Assert.That(wrong!.Message, Does.StartWith("--payload: ").And.Contain(part));
        Assert.That(wrong.Message.Split('\n'), Has.Length.EqualTo(1));
    }

    [TestCase("100", true)]
    [TestCase("50..200", true)]
    [TestCase("7", false)]
    [TestCase("text:{number}", false)]
    public void Two_publishers_have_payloads_of_their_own_where_there_is_room(string text, bool differ)
    {
        var payload = LoadPayload.Parse(text, "test");
        byte[] Of(int publisher)
        {
            var (bytes, random) = (new byte[payload.MaximumBytes], default(RandomStream));
            payload.WritePattern(bytes);
            payload.WriteOwner(bytes, publisher);
            payload.Fill(bytes, publisher, number: 12, 0, ref random);
            return bytes;
        }
        Assert.That(Of(1).SequenceEqual(Of(2)), Is.EqualTo(!differ));
        Assert.That(payload.TryReadNumber(Of(1), out var number) && number == 12, "the number is where it was");
    }
}
