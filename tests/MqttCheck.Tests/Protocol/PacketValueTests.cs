using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Protocol;

public sealed class PacketValueTests
{
    [Test]
    public void Packets_are_compared_by_content()
    {
        static PublishPacket Make(byte last) =>
            new()
            {
                Topic = "a",
                Payload = new byte[] { 1, 2, last },
                Properties = new PacketProperties
                {
                    UserProperties = [new("a", "b"), new("c", "d")],
                    CorrelationData = new byte[] { 9 },
                },
            };
        var (one, other) = (Make(3), Make(3));
        Assert.That((one, one.GetHashCode()), Is.EqualTo((other, other.GetHashCode())));
        Assert.That(Make(3), Is.Not.EqualTo(Make(4)));
        var swapped = Make(3) with
        {
            Properties = Make(3).Properties with { UserProperties = [new("c", "d"), new("a", "b")] },
        };
        Assert.That(swapped, Is.Not.EqualTo(Make(3)));
    }

    [Test]
    public void Absent_and_empty_differ()
    {
        Assert.That(new PacketProperties { CorrelationData = Bytes.Empty }, Is.Not.EqualTo(PacketProperties.Empty));
        Assert.That(
            (new PacketProperties { ContentType = "" }.IsEmpty, new PacketProperties().IsEmpty),
            Is.EqualTo((false, true))
        );
        Assert.That(new ConnectPacket { UserName = "" }, Is.Not.EqualTo(new ConnectPacket()));
    }

    [Test]
    public void Properties_print_only_what_is_present() =>
        Assert.That(
            new PacketProperties
            {
                TopicAlias = 7,
                ContentType = "t",
                UserProperties = [new("a", "b")],
            }.ToString(),
            Is.EqualTo(
                "PacketProperties { ContentType = t, TopicAlias = 7, "
                    + "UserProperties = [UserProperty { Name = a, Value = b }] }"
            )
        );

    [Test]
    public void Lists_and_bytes_print_shortly()
    {
        ValueList<int> list = [1, 2];
        Assert.That((list.ToString(), default(ValueList<int>)), Is.EqualTo(("[1, 2]", (ValueList<int>)[])));
        Assert.That(new Bytes(new byte[] { 1, 255 }).ToString(), Is.EqualTo("01FF"));
        Assert.That(new Bytes(new byte[100]).ToString(), Does.EndWith("... (100 bytes)"));
    }
}
