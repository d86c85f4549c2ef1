using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Model;

[TestFixture]
internal sealed class WordingTests
{
    [TestCase("a/b", "exact filter")]
    [TestCase("a/+", "+ filter")]
    [TestCase("a/#", "# filter")]
    [TestCase("+/#", "+ and # filter")]
    [TestCase("$SYS/#", "# filter beginning with $")]
    [TestCase("$share/g/a/+", "shared + filter")]
    [TestCase("$share/g//a", "shared exact filter")]
    public void A_filter_is_told_by_its_kind(string filter, string text) =>
        Assert.That(Wording.Filter(filter, ProtocolVersion.V5), Is.EqualTo(text));

    [Test]
    public void Version_3_knows_no_shared_filter() =>
        Assert.That(Wording.Filter("$share/g/a", ProtocolVersion.V311), Is.EqualTo("exact filter beginning with $"));

    [Test]
    public void Filters_are_told_once_each_and_in_order() =>
        Assert.That(
            Wording.Filters(["b/c", "a/+", "a/b", "#"], ProtocolVersion.V5),
            Is.EqualTo("# filter and + filter and exact filter")
        );

    [TestCase("a/b", "")]
    [TestCase("$a", " beginning with $")]
    [TestCase("/a", " with an empty level")]
    [TestCase("a/", " with an empty level")]
    [TestCase("a//b", " with an empty level")]
    [TestCase("a b", " with ' '")]
    [TestCase("a.b:c.d", " with '.:'")]
    [TestCase("*>%;", " with '%*;>'")]
    [TestCase("caf\u00e9", " with characters beyond ASCII")]
    [TestCase("a\u0001", " with characters beyond ASCII")]
    [TestCase("\u00e9", " with characters beyond ASCII")]
    [TestCase("~!", "")]
    [TestCase("$/ ", " beginning with $ with ' '")]
    public void A_topic_is_told_by_what_is_special_in_it(string topic, string text) =>
        Assert.That(Wording.Levels(topic), Is.EqualTo(text));

    [TestCase(100, "")]
    [TestCase(101, " that is long")]
    public void A_topic_of_more_than_a_hundred_characters_is_long(int length, string text) =>
        Assert.That(Wording.Levels(new string('a', length)), Is.EqualTo(text));

    [TestCase("exact filter, topic with ' '", "a b")]
    [TestCase("# filter and exact filter overlapping, topic with ' '", "a b", "#")]
    public void A_match_names_the_filters_and_the_topic(string text, params string[] filters)
    {
        var expected = new ExpectedDelivery(new Publication(1, 0, new PublishPacket { Topic = "a b" }, sentAt: 1));
        expected.Filters.UnionWith(filters);
        Assert.That(
            Wording.Match(expected, ProtocolVersion.V5),
            Is.EqualTo(text.Replace("exact filter", "exact filter with ' '", StringComparison.Ordinal))
        );
    }

    [TestCase(0, "")]
    [TestCase(1, "0")]
    [TestCase(6, "1 or 2")]
    [TestCase(7, "0 or 1 or 2")]
    public void Qualities_of_service_are_told_by_their_bits(int bits, string text) =>
        Assert.That(Wording.QosBits(bits), Is.EqualTo(text));

    [TestCase(2, "second")]
    [TestCase(3, "third")]
    [TestCase(4, "4th")]
    public void Ordinals_begin_with_the_second(int number, string text) =>
        Assert.That(Wording.Ordinal(number), Is.EqualTo(text));

    [Test]
    public void Packets_have_the_names_of_the_standard() =>
        Assert.That(Wording.Packet(PacketType.Suback), Is.EqualTo("SUBACK"));
}
