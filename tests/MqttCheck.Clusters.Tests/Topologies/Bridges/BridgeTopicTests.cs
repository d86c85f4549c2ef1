using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Protocol;

namespace MqttCheck.Clusters.Tests.Topologies.Bridges;

[TestFixture]
internal sealed class BridgeTopicTests
{
    // The forms and defaults of the option topic in mosquitto.conf(5).
    [TestCase("#", "#", BridgeDirection.Out, 0, "#", "#")]
    [TestCase("# both 1", "#", BridgeDirection.Both, 1, "#", "#")]
    [TestCase("t/+ in 2 local/", "t/+", BridgeDirection.In, 2, "local/t/+", "t/+")]
    [TestCase("t/+ out 0 \"\" far/", "t/+", BridgeDirection.Out, 0, "t/+", "far/t/+")]
    [TestCase("\"\" both 1 here there", "", BridgeDirection.Both, 1, "here", "there")]
    public void The_forms_of_a_line_are_read_and_printed(
        string text,
        string pattern,
        BridgeDirection direction,
        int qos,
        string local,
        string remote
    )
    {
        Assert.That(BridgeTopic.TryParse(text, out var topic, out _));
        Assert.That(
            (topic!.Pattern, topic.Direction, topic.Qos, topic.LocalFilter, topic.RemoteFilter),
            Is.EqualTo((pattern, direction, (QualityOfService)qos, local, remote))
        );
        Assert.That(BridgeTopic.TryParse(topic.ToString(), out var again, out _));
        Assert.That(again, Is.EqualTo(topic));
    }

    [TestCase("", "one to five words")]
    [TestCase("# both 1 a/ b/ c/", "one to five words")]
    [TestCase("# sideways", "'sideways' is no direction")]
    [TestCase("# out 3", "'3' is no QoS")]
    [TestCase("# out 1 +/", "the prefix '+/' has a wildcard")]
    [TestCase("a/#/b", "'a/#/b' is no topic filter")]
    [TestCase("# out 1 a", "'a#' is no topic filter")]
    [TestCase("\"\" out 1 a", "needs both prefixes")]
    public void Any_other_line_is_refused(string text, string part)
    {
        Assert.That(BridgeTopic.TryParse(text, out _, out var problem), Is.False);
        Assert.That(problem, Does.Contain(part));
    }
}
