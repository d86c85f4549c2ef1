using MqttCheck.Protocol.Topics;

namespace MqttCheck.Tests.Protocol;

public sealed class TopicNameTests
{
    [TestCase("a", true)]
    [TestCase("/", true)]
    [TestCase("a//b/", true)]
    [TestCase("$SYS/broker", true)]
    [TestCase("Accounts payable", true)]
    [TestCase("\uFEFFa", true)]
    [TestCase("", false)]
    [TestCase("a/+", false)]
    [TestCase("a#", false)]
    [TestCase("a\0", false)]
    public void Topic_names_are_valid_as_section_4_7_says(string topic, bool valid) =>
        Assert.That(TopicName.IsValid(topic), Is.EqualTo(valid));

    [Test]
    public void Length_counts_in_bytes_and_surrogates_come_in_pairs()
    {
        Assert.That(
            (TopicName.IsValid(new string('a', 65535)), TopicName.IsValid(new string('a', 65536))),
            Is.EqualTo((true, false))
        );
        Assert.That(
            (TopicName.IsValid("a" + (char)0xDC00), TopicName.IsValid([0xC0, 0x80])),
            Is.EqualTo((false, false))
        );
        Assert.That(TopicName.IsValid([0xED, 0xA0, 0x80]), Is.False);
    }
}
