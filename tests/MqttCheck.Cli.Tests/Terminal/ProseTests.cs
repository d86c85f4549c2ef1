using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Terminal;

[TestFixture]
internal sealed class ProseTests
{
    [Test]
    public void A_line_that_fits_stays_as_it_is() =>
        Assert.That(Prose.Wrapped("two  words", 10), Is.EqualTo("two  words"));

    [Test]
    public void A_long_line_ends_between_words_and_goes_on_indented() =>
        Assert.That(Prose.Wrapped("one two three four", 10), Is.EqualTo("one two\n  three\n  four"));

    [Test]
    public void The_first_line_has_room_for_what_stands_before_it() =>
        Assert.That(Prose.Wrapped("one two three", 13, before: 9), Is.EqualTo("one\n  two three"));

    [Test]
    public void Lines_of_a_text_are_wrapped_each_by_itself() =>
        Assert.That(Prose.Wrapped("  one two\nthree", 8), Is.EqualTo("  one\n    two\nthree"));

    [Test]
    public void A_terminal_that_is_wider_than_an_eye_reads_is_not_filled() =>
        Assert.That(
            Prose.Wrapped(string.Join(' ', Enumerable.Repeat("word", 50)), 300).Split('\n')[0],
            Has.Length.EqualTo(99)
        );

    [Test]
    public void A_command_in_quotes_stays_on_one_line() =>
        Assert.That(
            Prose.Wrapped("go on with 'mqttcheck learn FILE', the client's way", 24),
            Is.EqualTo("go on with\n  'mqttcheck learn FILE',\n  the client's way")
        );

    [Test]
    public void A_word_longer_than_the_terminal_stays_whole() =>
        Assert.That(Prose.Wrapped("a directory/of/files b", 8), Is.EqualTo("a\n  directory/of/files\n  b"));
}
