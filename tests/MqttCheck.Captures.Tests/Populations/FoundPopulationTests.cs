using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Populations;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Captures.Tests.Populations;

/// <summary>The groups that are found are those that ran.</summary>
[TestFixture]
internal sealed class FoundPopulationTests
{
    private static readonly RunGroup s_sensors = new("sensor", 8)
    {
        Topic = "plant/{0}/temp",
        Every = new NormalLaw(500, 10),
        SmallestBytes = 180,
        LargestBytes = 220,
        Qos = 1,
    };

    private static readonly RunGroup s_dashboards = new("dashboard", 2)
    {
        Filters = ["plant/+/temp"],
        KeepAliveSeconds = 30,
    };

    [Test]
    public void Sensors_and_dashboards_are_told_apart_with_their_topics()
    {
        var found = RunTraffic.Found([s_sensors, s_dashboards], 20);

        Assert.That(
            found.Groups.Select(group => (group.Name, group.Clients.Count)),
            Is.EqualTo(new[] { ("sensor", 8), ("dashboard", 2) })
        );
        var (sensors, dashboards) = (found.Groups[0], found.Groups[1]);
        Assert.That(
            sensors.Published.Select(topics => (topics.Pattern, topics.Share, topics.PerClient)),
            Is.EqualTo(new[] { ("plant/{}/temp", TopicShare.Own, 1) })
        );
        Assert.That(
            dashboards.Subscribed.Select(topics => (topics.Pattern, topics.Share, topics.IsInferred)),
            Is.EqualTo(new[] { ("plant/+/temp", TopicShare.One, false) })
        );
        Assert.That(sensors.FanOut[0], Is.EqualTo((2, 1.0)));
        Assert.That(sensors.Told!.KeepAliveSeconds, Is.EqualTo(60));
        Assert.That(dashboards.Told!.KeepAliveSeconds, Is.EqualTo(30));
    }

    [Test]
    public void A_line_says_what_a_group_does()
    {
        var found = RunTraffic.Found([s_sensors, s_dashboards], 20);
        var words = new Pseudonyms(keepsNames: true);

        Assert.That(
            found.Groups.Select(group => GroupText.Of(group, words)),
            Is.EqualTo(
                new[]
                {
                    "sensor: 8 clients, every 500.3 ms +- 9.2 ms, 180 to 220 bytes, QoS 1, to a topic of their own, "
                        + "plant/{}/temp, 2 receivers each, keep alive 60 s, clean sessions",
                    "dashboard: 2 clients, subscribed at QoS 1 to plant/+/temp, keep alive 30 s, clean sessions",
                }
            )
        );
    }

    [Test]
    public void Clients_that_were_connected_before_are_in_the_groups_of_their_behaviour()
    {
        var found = RunTraffic.Found([s_sensors, s_dashboards], 20, skip: .1);

        Assert.That(found.Groups.Select(group => group.Clients.Count), Is.EqualTo(new[] { 8, 2 }));
        Assert.That(
            found.Groups[1].Subscribed.Select(topics => (topics.Pattern, topics.Share, topics.IsInferred)),
            Is.EqualTo(new[] { ("plant/+/temp", TopicShare.One, true) })
        );
        Assert.That(found.Groups[1].Told, Is.Null);
    }

    // Seed 1. All are connected when the capture begins, or away.
    [Test]
    public void Clients_that_were_connected_before_and_come_again_are_counted_once()
    {
        var meters = new RunGroup("meter", 8) { Topic = "m/{0}", Visits = (4, new ConstantLaw(700)) };

        var (turned, _) = RunTraffic.Capture([meters], 20, skip: .2);

        Assert.That(turned.Counts.Joined, Is.GreaterThanOrEqualTo(4));
        var found = turned.Summary.Population;
        Assert.That(
            found.Groups.Select(group => (group.Name, group.Clients.Count)),
            Is.EqualTo(new[] { ("meter", 8) })
        );
        Assert.That(found.Groups[0].Absences.Mean, Is.EqualTo(700).Within(5));
    }

    [Test]
    public void Requests_and_replies_are_recognised()
    {
        var found = RunTraffic.Found(
            [
                new("asker", 4)
                {
                    Topic = "ask/{0}",
                    Filters = ["reply/{0}"],
                    Every = new ExponentialLaw(400),
                },
                new("service", 1)
                {
                    Topic = "",
                    Filters = ["ask/+"],
                    Answer = "reply/{0}",
                },
            ],
            20
        );

        Assert.That(found.Groups.Select(group => group.Name), Is.EqualTo(new[] { "asker", "service" }));
        Assert.That(found.Groups[1].Asker, Is.SameAs(found.Groups[0]));
        Assert.That(found.Groups[0].Asker, Is.Null);
        Assert.That(found.Groups[1].Answers.Mean, Is.EqualTo(5).Within(1));
    }

    [Test]
    public void Clients_that_come_and_go_and_tell_of_it_are_one_group()
    {
        var found = RunTraffic.Found(
            [
                new("meter", 5)
                {
                    Topic = "tele/{0}/SENSOR",
                    Birth = "tele/{0}/LWT",
                    Visits = (3, new ConstantLaw(900)),
                    Every = new ConstantLaw(200),
                },
            ],
            20
        );

        var meters = found.Groups.Single();
        Assert.That(meters.Stays!.Mean, Is.EqualTo(500).Within(150));
        Assert.That(meters.Absences.Mean, Is.EqualTo(900).Within(5));
        Assert.That((meters.BirthTopic!.Pattern, meters.BirthTopic.Share), Is.EqualTo(("tele/{}/LWT", TopicShare.Own)));
        Assert.That(meters.Birth!.IsRetained);
        Assert.That(meters.Told!.Will, Is.EqualTo(new SeenWill(meters.Told.Will!.Topic, 4, 1, true)));
        Assert.That(meters.WillTopic, Is.EqualTo("tele/{}/LWT"));
        Assert.That(meters.Published.Select(topics => topics.Pattern), Is.EqualTo(new[] { "tele/{}/SENSOR" }));
    }

    [TestCase(true)]
    [TestCase(false)]
    public void Clients_share_a_rhythm_only_if_they_publish_at_once(bool isSimultaneous)
    {
        var group = new RunGroup("meter", 12)
        {
            Topic = "m/{0}",
            Every = new ConstantLaw(1000),
            IsSimultaneous = isSimultaneous,
        };

        var found = RunTraffic.Found([group], 20);

        Assert.That(found.Groups.Single().Rhythm is not null, Is.EqualTo(isSimultaneous));
    }

    // Clients of one behaviour are never parted, and different ones never joined. Seed 5, 7; the laws are exact.
    [Test]
    public void The_groups_found_are_those_that_ran()
    {
        var cases = 0;
        Check.One(
            Config.QuickThrowOnFailure.WithReplay(5, 7).WithMaxTest(12),
            Prop.ForAll(
                Arb.From(Populations()),
                groups =>
                {
                    var (turned, run) = RunTraffic.Capture(groups, 25, seed: (ulong)++cases);
                    var found = turned.Summary.Population.Groups;
                    Assert.That(
                        found.Select(group => (group.Name, group.Clients.Count)),
                        Is.EquivalentTo(groups.Select(group => (group.Name, group.Clients))),
                        string.Join("\n", found.Select(group => GroupText.Of(group, new(true))))
                    );
                    foreach (var group in groups)
                        Compare(group, found.First(one => one.Name == group.Name), run);
                }
            )
        );
    }

    private static void Compare(RunGroup ran, FoundGroup found, RunTraffic run)
    {
        Assert.That(found.Intervals.Mean, Is.EqualTo(run.MeanInterval(ran)).Within(5).Percent);
        Assert.That(found.Sizes.Smallest, Is.GreaterThanOrEqualTo(ran.SmallestBytes));
        Assert.That(found.Sizes.Largest, Is.LessThanOrEqualTo(ran.LargestBytes));
        Assert.That(found.Sizes.Mean, Is.EqualTo((ran.SmallestBytes + ran.LargestBytes) / 2.0).Within(5).Percent);
        Assert.That(found.PublishQos[ran.Qos], Is.EqualTo(found.PublishQos.Sum()));
        Assert.That(found.IsRetained, Is.EqualTo(ran.IsRetained));
        Assert.That(found.Told!.KeepAliveSeconds, Is.EqualTo(ran.KeepAliveSeconds));
    }

    private static Gen<RunGroup[]> Populations() =>
        from count in Gen.Choose(1, 3)
        from groups in Gen.ArrayOf(Group(), count)
        select groups.Select(Distinct).ToArray();

    private static Gen<RunGroup> Group() =>
        from clients in Gen.Choose(2, 9)
        from mean in Gen.Choose(150, 900)
        from law in Gen.Elements<Func<double, Law>>(
            mean => new ConstantLaw(mean),
            mean => new NormalLaw(mean, mean / 20),
            mean => new UniformLaw(mean / 2, mean * 1.5),
            mean => new ExponentialLaw(mean)
        )
        from smallest in Gen.Choose(12, 200)
        from width in Gen.Choose(0, 40)
        from qos in Gen.Choose(0, 1)
        from isRetained in Gen.Elements(false, true)
        from keepAlive in Gen.Elements(0, 30, 60)
        select new RunGroup("", clients)
        {
            Every = law(mean),
            SmallestBytes = smallest,
            LargestBytes = smallest + width,
            Qos = qos,
            IsRetained = isRetained,
            KeepAliveSeconds = keepAlive,
        };

    // Groups differ in what they publish to.
    private static RunGroup Distinct(RunGroup group, int number) =>
        group with
        {
            Name = ((string[])["sensor", "pump", "lamp"])[number],
            Topic = ((string[])["plant/{0}/temp", "plant/{0}/flow", "light/{0}"])[number],
        };
}
