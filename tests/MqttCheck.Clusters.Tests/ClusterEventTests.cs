using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Tests;

[TestFixture]
internal sealed class ClusterEventTests
{
    [Test]
    public void An_event_names_no_peer_client_or_message_unless_it_is_told_one()
    {
        var change = new ClusterEvent
        {
            Nanoseconds = 5,
            Kind = ClusterEventKind.RootChanged,
            Node = 0,
        };
        Assert.That((change.Peer, change.Client, change.Message), Is.EqualTo((-1, -1, -1L)));
    }
}
