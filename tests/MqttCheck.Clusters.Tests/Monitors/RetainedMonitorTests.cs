using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class RetainedMonitorTests
{
    [Test]
    public void Retained_messages_that_differ_between_nodes_are_reported_with_their_nodes()
    {
        var tape = new EventTape();
        for (var node = 0; node < 3; node++)
            Retained(tape.Delivered(10, message: node == 2 ? 5 : 6, client: node, node: node));
        tape.Delivered(11, message: 9, client: 0, node: 0);
        var violation = tape.Play(new RetainedMonitor(EventTape.Names)).Violations.Single();
        Assert.That(violation.What, Is.EqualTo("the retained message of t is 6 at a, 6 at b, 5 at c"));
    }

    [Test]
    public void A_node_that_was_asked_and_has_none_is_reported()
    {
        var tape = new EventTape();
        for (var node = 0; node < 2; node++)
            Retained(tape.Subscribed(9, node, "+", node: node));
        Retained(tape.Delivered(10, message: 6, client: 0, node: 0));
        var violation = tape.Play(new RetainedMonitor(EventTape.Names)).Violations.Single();
        Assert.That(violation.What, Is.EqualTo("the retained message of t is 6 at a, missing at b"));
    }

    [Test]
    public void Nodes_that_agree_are_not_reported()
    {
        var tape = new EventTape();
        for (var node = 0; node < 2; node++)
        {
            Retained(tape.Subscribed(9, node, "+", node: node));
            Retained(tape.Delivered(10, message: 6, client: 0, node: node));
        }
        Assert.That(tape.Play(new RetainedMonitor(EventTape.Names)).Violations, Is.Empty);
    }

    [Test]
    public void A_node_that_bridges_never_forward_to_owes_no_retained_message()
    {
        var tape = new EventTape();
        for (var node = 0; node < 2; node++)
            Retained(tape.Subscribed(9, node, "+", node: node));
        Retained(tape.Published(9, message: 6, "t", node: 0, isAcknowledged: false));
        Retained(tape.Delivered(10, message: 6, client: 0, node: 0));
        Assert.That(tape.Play(new RetainedMonitor(EventTape.Names, (_, to, _) => to == 0)).Violations, Is.Empty);
        Assert.That(tape.Play(new RetainedMonitor(EventTape.Names, (_, _, _) => true)).Violations, Is.Not.Empty);
    }

    private static void Retained(EventTape tape) => tape.Events[^1] = tape.Events[^1] with { IsRetained = true };
}
