using MqttCheck.Broker.Core;
using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Tests.Broker.Routing;

/// <summary>Where a message goes, and with what.</summary>
public sealed class RouterTests
{
    [Test]
    public void Subscriptions_are_counted_and_the_first_to_a_filter_is_new()
    {
        var router = new Router();
        var session = new Session("a");
        Assert.That(
            (Add(router, session, "t"), Add(router, session, "t"), Add(router, session, "u"), router.Count),
            Is.EqualTo((true, false, true, 2))
        );
        Assert.That(
            (router.Remove(session, "t"), router.Remove(session, "t"), router.Count),
            Is.EqualTo((true, false, 1))
        );
        Assert.That(
            (Add(router, session, "$share/g/t"), Add(router, session, "$share/g/t"), router.Count),
            Is.EqualTo((true, false, 2))
        );
        Assert.That((router.Remove(session, "$share/g/t"), router.Count), Is.EqualTo((true, 1)));
        Assert.That(Names(router), Is.Empty);
    }

    [Test]
    public void A_message_reaches_any_number_of_sessions([Values(15, 16, 17, 50)] int count)
    {
        var router = new Router();
        for (var i = 0; i < count; i++)
        {
            Add(router, new Session($"{i}"), "t");
            Add(router, new Session($"{i} in a group"), $"$share/{i}/t");
        }
        Assert.That(Names(router), Has.Length.EqualTo(2 * count).And.Unique);
    }

    // MQTT-3.3.1-13 (RETAIN as published) and MQTT-3.3.4-2 (the highest QoS), whichever subscription comes first.
    [Test]
    public void Overlapping_subscriptions_make_one_delivery_with_the_most_of_each(
        [Values] bool firstKeeps,
        [Values] bool secondKeeps,
        [Values(0, 1, 2)] int firstQos,
        [Values(0, 1, 2)] int secondQos
    )
    {
        var router = new Router();
        var session = new Session("a");
        Add(router, session, "+", firstQos, firstKeeps);
        Add(router, session, "t", secondQos, secondKeeps);
        var matches = router.Route(Message("t")).ToArray();
        Assert.That(
            (matches.Length, (int)matches[0].Qos, matches[0].RetainAsPublished),
            Is.EqualTo((1, Math.Max(firstQos, secondQos), firstKeeps || secondKeeps))
        );
    }

    // MQTT-3.8.3-3: No Local is about the subscriber's own messages, and about the subscription that has it.
    [Test]
    public void No_local_leaves_out_one_s_own_messages_for_that_subscription_alone()
    {
        var router = new Router();
        var (own, other) = (new Session("publisher"), new Session("other"));
        foreach (var session in new[] { own, other })
            Add(router, session, "t", noLocal: true);
        Assert.That(Names(router), Is.EqualTo(["other"]));
        Add(router, own, "+");
        Assert.That(Names(router), Is.EquivalentTo(["other", "publisher"]));
    }

    [Test]
    public void Members_of_a_group_that_have_room_come_in_turn_before_those_that_have_not()
    {
        var group = new ShareGroup("$share/g/t");
        Assert.That(group.Key, Is.EqualTo("$share/g/t"));
        var sessions = new[] { "away", "full", "first", "second" }.Select(name => new Session(name)).ToArray();
        foreach (var session in sessions)
            group.Members.Add(Subscription(session, "$share/g/t"));
        Assert.That(Choose(group, 5), Is.EqualTo(["away", "full", "first", "second", "away"]), "all are away");
        foreach (var session in sessions[1..])
            session.Connection = new Connection(1);
        sessions[1].Enqueue(new Delivery(Message("t"), QualityOfService.AtLeastOnce, false, null));
        Assert.That(Choose(group, 4), Is.EqualTo(["first", "second", "first", "second"]));
        sessions[2].Connection = sessions[3].Connection = null;
        Assert.That(Choose(group, 2), Is.EqualTo(["full", "full"]), "it is there, at least");
    }

    [Test]
    public void A_group_goes_on_in_turn_when_members_leave()
    {
        var group = new ShareGroup("$share/g/t");
        foreach (var name in "abc")
            group.Members.Add(Subscription(new Session($"{name}"), "$share/g/t"));
        Assert.That(Choose(group, 2), Is.EqualTo(["a", "b"]));
        group.Members.RemoveAt(2);
        Assert.That(Choose(group, 2), Is.EqualTo(["a", "b"]));
        group.Members.RemoveAt(0);
        Assert.That(Choose(group, 2), Is.EqualTo(["b", "b"]));
    }

    [TestCase("a", false, "a")]
    [TestCase("$share/g/a", true, "a")]
    [TestCase("$share/g/a/b/#", true, "a/b/#")]
    [TestCase("$share/g//a", true, "/a")]
    [TestCase("$shared/g/a", false, "$shared/g/a")]
    [TestCase("a/$share/g/a", false, "a/$share/g/a")]
    public void A_shared_filter_has_a_name_before_it(string filter, bool isShared, string behind) =>
        Assert.That((SharedFilter.IsShared(filter), SharedFilter.FilterOf(filter)), Is.EqualTo((isShared, behind)));

    [TestCase("", 1)]
    [TestCase("a", 1)]
    [TestCase("/", 2)]
    [TestCase("a/b/#", 3)]
    public void Every_slash_makes_a_level_more(string topic, int levels) =>
        Assert.That(
            (TopicLevels.Count(topic), TopicLevels.Count(System.Text.Encoding.UTF8.GetBytes(topic))),
            Is.EqualTo((levels, levels))
        );

    private static bool Add(
        Router router,
        Session session,
        string filter,
        int qos = 0,
        bool retainAsPublished = false,
        bool noLocal = false
    ) => router.Add(Subscription(session, filter).With((QualityOfService)qos, noLocal, retainAsPublished, null));

    private static Subscription Subscription(Session session, string filter) =>
        new()
        {
            Session = session,
            Filter = filter,
            Qos = QualityOfService.AtMostOnce,
        };

    private static string[] Names(Router router)
    {
        var names = new List<string>();
        foreach (var match in router.Route(Message("t")))
            names.Add(match.Session.ClientId);
        return [.. names];
    }

    private static string[] Choose(ShareGroup group, int times) =>
        [.. Enumerable.Range(0, times).Select(_ => group.Choose().Session.ClientId)];

    private static Message Message(string topic) =>
        new(
            System.Text.Encoding.UTF8.GetBytes(topic),
            default,
            "x"u8,
            QualityOfService.AtMostOnce,
            false,
            long.MaxValue,
            "publisher"
        );
}
