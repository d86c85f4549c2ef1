using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Text;

namespace MqttCheck.Tests.Text;

[TestFixture]
internal sealed class PrintableTests
{
    private const string Steering = "\0\a\b\t\r\e\u007f\u0085\u009b\u2028\u202e\u2066\u200f";

    [TestCase("\e[31mX\e[0m", ExpectedResult = "\\e[31mX\\e[0m")]
    [TestCase("\ab", ExpectedResult = "\\ab")]
    [TestCase("a\0\t\rb", ExpectedResult = "a\\0\\t\\rb")]
    [TestCase("two\r\nlines", ExpectedResult = "two\r\nlines")]
    [TestCase("\u009b1m \u202eabc", ExpectedResult = "\\u009b1m \\u202eabc")]
    [TestCase("größer 漢字 😀", ExpectedResult = "größer 漢字 😀")]
    public string Controls_are_escaped_and_everything_else_stays(string text) => Printable.Text(text);

    [Test]
    public void A_long_value_keeps_its_beginning_and_its_end() =>
        Assert.That(
            Printable.Value(new string('a', 60) + new string('b', 1000) + new string('c', 20)),
            Is.EqualTo(new string('a', 60) + "... (1080 characters) ..." + new string('c', 20))
        );

    [Test]
    public void A_value_stands_on_one_line() => Assert.That(Printable.Value("a\nerror: b"), Is.EqualTo("a\\nerror: b"));

    [Test]
    public void No_message_has_a_control_but_line_breaks_and_a_value_is_short() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(1000).WithReplay(51, 51),
            Prop.ForAll(
                Mixed(),
                text =>
                    IsPlain(new InputException(text).Message)
                    && IsPlain(Printable.Text(text))
                    && IsPlain(Printable.Value(text))
                    && Printable.Value(text).Length < 120
                    && !Printable.Value(text).Contains('\n', StringComparison.Ordinal)
            )
        );

    // Any bytes read as UTF-8, with more steering characters than chance gives.
    private static Arbitrary<string> Mixed() =>
        Gen.OneOf(
                Gen.Choose(0, 255).Select(value => (byte)value).ArrayOf().Select(Encoding.UTF8.GetString),
                Gen.Elements(Steering.ToCharArray()).ArrayOf().Select(some => new string(some)),
                Gen.Elements((Steering + "ab\n😀").ToCharArray())
                    .ArrayOf()
                    .Select(some => string.Concat(Enumerable.Repeat(new string(some), 9)))
            )
            .ToArbitrary();

    private static bool IsPlain(string text) =>
        text.Replace("\r\n", "\n", StringComparison.Ordinal)
            .All(c =>
                c == '\n' || !(char.IsControl(c) || "\u2028\u202e\u2066\u200f".Contains(c, StringComparison.Ordinal))
            );
}
