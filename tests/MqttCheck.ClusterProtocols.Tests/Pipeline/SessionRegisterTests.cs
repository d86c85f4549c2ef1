using MqttCheck.ClusterProtocols.Pipeline;

namespace MqttCheck.ClusterProtocols.Tests.Pipeline;

/// <summary>What brokers agree on: the register of the store, and the book that each has of it.</summary>
[TestFixture]
internal sealed class SessionRegisterTests
{
    [Test]
    public void A_persistent_session_keeps_its_number_and_its_subscriptions_wherever_its_client_comes_back()
    {
        var register = new SessionRegister();
        var (client, isPresent, first) = register.Open("a", node: 0, isPersistent: true, out _);
        register.Subscribe(client, "t/+", 1);
        Assert.That(
            (register.Close(client, first), isPresent, register.NodeOf(client)),
            Is.EqualTo((false, false, -1))
        );
        var again = register.Open("a", node: 2, isPersistent: true, out var ended);
        Assert.That((again.Client, again.IsPresent, ended, register.NodeOf(client)), Is.EqualTo((client, true, -1, 2)));
        Assert.That(Subscribers(register, "t/x"), Is.EqualTo(new[] { new PipelineSubscriber(client, true, 1) }));
    }

    [Test]
    public void A_session_that_is_not_persistent_ends_with_its_connection()
    {
        var register = new SessionRegister();
        var (client, _, opened) = register.Open("a", 0, isPersistent: false, out _);
        register.Subscribe(client, "t", 0);
        Assert.That(
            (register.Close(client, opened), register.Has(client), Subscribers(register, "t").Count),
            Is.EqualTo((true, false, 0))
        );
    }

    [Test]
    public void A_clean_start_ends_what_was_there()
    {
        var register = new SessionRegister();
        var former = register.Open("a", 0, isPersistent: true, out _).Client;
        register.Subscribe(former, "t", 1);
        var (client, isPresent, _) = register.Open("a", 1, isPersistent: false, out var ended);
        Assert.That((ended, isPresent, client != former), Is.EqualTo((former, false, true)));
        Assert.That(Subscribers(register, "t"), Is.Empty);
    }

    [Test]
    public void The_end_of_a_connection_says_nothing_of_a_later_one()
    {
        var register = new SessionRegister();
        var (client, _, first) = register.Open("a", 0, isPersistent: true, out _);
        register.Open("a", 1, isPersistent: true, out _);
        register.Close(client, first);
        Assert.That(register.NodeOf(client), Is.EqualTo(1));
    }

    [Test]
    public void A_broker_that_starts_has_no_connections_left()
    {
        var register = new SessionRegister();
        var lasting = register.Open("a", 0, isPersistent: true, out _).Client;
        var passing = register.Open("b", 0, isPersistent: false, out _).Client;
        var elsewhere = register.Open("c", 1, isPersistent: false, out _).Client;
        Assert.That(register.Start(0), Is.EqualTo(new[] { passing }));
        Assert.That(
            (register.NodeOf(lasting), register.Has(passing), register.Has(elsewhere)),
            Is.EqualTo((-1, false, true))
        );
    }

    [Test]
    public void A_client_is_a_subscriber_once_with_its_highest_quality_of_service()
    {
        var register = new SessionRegister();
        var client = register.Open("a", 0, isPersistent: true, out _).Client;
        register.Subscribe(client, "t/#", 0);
        register.Subscribe(client, "t/1", 2);
        register.Subscribe(client, "t/+", 1);
        Assert.That(Subscribers(register, "t/1"), Is.EqualTo(new[] { new PipelineSubscriber(client, true, 2) }));
        register.Unsubscribe(client, "t/1");
        Assert.That(Subscribers(register, "t/1"), Is.EqualTo(new[] { new PipelineSubscriber(client, true, 1) }));
    }

    [Test]
    public void A_message_has_one_receiver_in_each_group_and_the_same_one_when_it_is_routed_again()
    {
        var register = new SessionRegister();
        int[] clients = [.. "abcd".Select(name => register.Open($"{name}", name - 'a', true, out _).Client)];
        register.Subscribe(clients[0], "$share/g/t/+", 1);
        register.Subscribe(clients[1], "$share/g/t/+", 1);
        register.Subscribe(clients[2], "$share/other/t/+", 1);
        register.Subscribe(clients[3], "t/1", 1);
        int[] first = [.. Subscribers(register, "t/1", 6).Select(one => one.Client)];
        Assert.That(first, Is.EqualTo(new[] { clients[0], clients[2], clients[3] }));
        Assert.That(Subscribers(register, "t/1", 6).Select(one => one.Client), Is.EqualTo(first));
        Assert.That(
            Subscribers(register, "t/1", 7).Select(one => one.Client),
            Is.EqualTo(new[] { clients[1], clients[2], clients[3] })
        );
        register.Unsubscribe(clients[0], "$share/g/t/+");
        Assert.That(
            Subscribers(register, "t/2", 6).Select(one => one.Client),
            Is.EqualTo(new[] { clients[1], clients[2] })
        );
        Assert.That(Subscribers(register, "$share/g/t/1", 6), Is.Empty);
    }

    private static IReadOnlyList<PipelineSubscriber> Subscribers(
        SessionRegister register,
        string topic,
        long message = 1
    )
    {
        var book = new SessionBook();
        foreach (var change in register.Changes)
            book.Apply(change);
        Assert.That(book.Read, Is.EqualTo(register.Changes.Count));
        return book.SubscribersOf(new PipelineMessage(message, topic, 1));
    }
}
