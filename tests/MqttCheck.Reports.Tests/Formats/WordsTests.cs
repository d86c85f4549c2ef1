using MqttCheck.Reports.Formats;

namespace MqttCheck.Reports.Tests.Formats;

public sealed class WordsTests
{
    [TestCase(0.9123, "0.912")]
    [TestCase(1, "1.000")]
    [TestCase(0.99999, "> 0.999")]
    [TestCase(0.9994, "0.999")]
    [TestCase(0.0001, "< 0.001")]
    [TestCase(0, "0.000")]
    [TestCase(double.NaN, "–")]
    public void A_probability_is_never_rounded_to_certainty(double p, string text) =>
        Assert.That(Words.Probability(p), Is.EqualTo(text));

    [TestCase(20, "20 ms")]
    [TestCase(0.5234, "0.523 ms")]
    [TestCase(12345.6, "12,346 ms")]
    [TestCase(0.00012, "0.00012 ms")]
    [TestCase(double.PositiveInfinity, "never")]
    [TestCase(double.NaN, "–")]
    public void Milliseconds_have_three_digits(double milliseconds, string text) =>
        Assert.That(Words.Milliseconds(milliseconds), Is.EqualTo(text));

    [TestCase(11, "11.0 ms")]
    [TestCase(8.8, "8.80 ms")]
    [TestCase(1234, "1,234 ms")]
    [TestCase(0, "0 ms")]
    public void A_measured_latency_keeps_its_zeros(double milliseconds, string text) =>
        Assert.That(Words.Latency(milliseconds), Is.EqualTo(text));

    [TestCase(0.42, "0.4 s")]
    [TestCase(53.4, "53 s")]
    [TestCase(161, "2 min 41 s")]
    [TestCase(59.7, "1 min 0 s")]
    [TestCase(7260, "2 h 1 min")]
    public void Durations_are_written_as_people_say_them(double seconds, string text) =>
        Assert.That(Words.Duration(seconds), Is.EqualTo(text));

    [TestCase(1, "100")]
    [TestCase(.9999, "more than 99")]
    [TestCase(.994, "99")]
    [TestCase(.0001, "fewer than 1")]
    [TestCase(0, "0")]
    public void All_and_none_are_only_said_of_all_and_none(double probability, string words) =>
        Assert.That(Words.OfHundred(probability), Is.EqualTo(words));
}
