using MqttCheck.Captures.Tests.Populations;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Captures.Tests.Usage;

/// <summary>The profile of a capture is a file that can be read, and says what the clients did.</summary>
[TestFixture]
internal sealed class FoundProfileTests : DirectoryFixture
{
    private static readonly RunGroup s_sensors = new("sensor", 8)
    {
        Topic = "plant/{0}/temp",
        Every = new NormalLaw(500, 10),
        SmallestBytes = 180,
        LargestBytes = 220,
        Qos = 1,
        IsRetained = true,
    };

    private static readonly RunGroup s_dashboards = new("dashboard", 2)
    {
        Filters = ["plant/+/temp"],
        KeepAliveSeconds = 30,
        IsClean = false,
    };

    [Test]
    public void The_profile_of_sensors_and_dashboards_is_read_again_as_it_was_written()
    {
        var found = RunTraffic.Capture([s_sensors, s_dashboards], 20).Turned.Summary.Profile;
        var file = found.WriteBeside(In("model.json"));

        Assert.That(file, Is.EqualTo(In("model.profile.json")));
        var read = ProfileFile.Read(file!);
        Assert.That(read.Groups, Is.EqualTo(found.Population!.Groups));
        var (sensors, dashboards) = (read.Groups[0], read.Groups[1]);
        Assert.That((sensors.Name, sensors.Share), Is.EqualTo(("sensor", 8.0)));
        Assert.That((dashboards.Name, dashboards.Share), Is.EqualTo(("dashboard", 2.0)));
        Assert.That(sensors.Profile.TopicName, Is.EqualTo("plant/{client}/temp"));
        Assert.That(sensors.Profile.WaitMilliseconds.Mean, Is.EqualTo(500).Within(5).Percent);
        Assert.That(
            (sensors.Profile.MinimumPayloadBytes, sensors.Profile.MaximumPayloadBytes, sensors.Profile.PayloadLaw),
            Is.EqualTo((180, 220, (Law?)null))
        );
        Assert.That(
            (
                sensors.Profile.Qos,
                sensors.Profile.Retain,
                sensors.Profile.KeepAliveSeconds,
                sensors.Profile.CleanSessions
            ),
            Is.EqualTo((QualityOfService.AtLeastOnce, true, 60, true))
        );
        Assert.That(dashboards.Profile.Filters, Is.EqualTo(new[] { "plant/+/temp" }));
        Assert.That(
            dashboards.Profile.Order,
            Is.EqualTo(new[] { OrderStep.Connect, OrderStep.Subscribe, OrderStep.Disconnect })
        );
        Assert.That((dashboards.Profile.KeepAliveSeconds, dashboards.Profile.CleanSessions), Is.EqualTo((30, false)));
    }

    [Test]
    public void Names_of_topics_are_words_of_the_same_length_unless_they_are_wanted()
    {
        var hashed = RunTraffic
            .Capture([s_sensors, s_dashboards], 10, keepsNames: false)
            .Turned.Summary.Profile.Population!;

        var name = hashed.Groups[0].Profile.TopicName;
        Assert.That(
            name,
            Does.Match("^[a-z]{5}/\\{client\\}/[a-z]{4}$").And.Not.Contain("plant").And.Not.Contain("temp")
        );
        Assert.That(
            hashed.Groups[1].Profile.Filters,
            Is.EqualTo(new[] { name.Replace("{client}", "+", StringComparison.Ordinal) })
        );
        Assert.That(hashed.Groups.Select(group => group.Name), Is.EqualTo(new[] { "publishers", "subscribers" }));
    }

    [Test]
    public void A_visit_is_an_order_with_a_message_after_connecting_and_a_will()
    {
        var meters = Only(
            new("meter", 5)
            {
                Topic = "tele/{0}/SENSOR",
                Birth = "tele/{0}/LWT",
                Visits = (3, new ConstantLaw(900)),
                Every = new ConstantLaw(200),
            }
        );

        Assert.That(
            meters.Order,
            Is.EqualTo(
                new[]
                {
                    OrderStep.Connect,
                    OrderStep.Publish,
                    OrderStep.Publish,
                    OrderStep.Publish,
                    OrderStep.Disconnect,
                }
            )
        );
        Assert.That(meters.SequenceLength, Is.EqualTo(6));
        Assert.That(meters.Waits!.Connect!.Mean, Is.EqualTo(900).Within(1).Percent);
        Assert.That(
            meters.AfterConnect,
            Is.EqualTo(
                new FirstMessage("tele/{client}/LWT")
                {
                    PayloadBytes = 12,
                    Qos = QualityOfService.AtLeastOnce,
                    Retain = true,
                }
            )
        );
        Assert.That(
            meters.Will,
            Is.EqualTo(new ClientWill("tele/{client}/LWT", "....", QualityOfService.AtLeastOnce) { Retain = true })
        );
    }

    [Test]
    public void Clients_that_publish_at_once_do_so_in_the_profile()
    {
        var meters = Only(
            new("meter", 12)
            {
                Topic = "m/{0}",
                Every = new ConstantLaw(1000),
                IsSimultaneous = true,
            }
        );

        Assert.That(meters.Simultaneous!.Message, Is.EqualTo(OrderStep.Publish));
        Assert.That(meters.Simultaneous.EverySeconds, Is.EqualTo(1).Within(1).Percent);
        Assert.That(meters.Simultaneous.JitterSeconds, Is.LessThan(.05));
    }

    [Test]
    public void A_topic_that_all_share_has_a_number_and_filters_follow()
    {
        var read = Read(
            new("lamp", 4) { Topic = "alarms" },
            new("pager", 2) { Filters = ["alarms"], KeepAliveSeconds = 10 }
        );

        Assert.That(
            (read.Groups[0].Profile.TopicName, read.Groups[0].Profile.Topics),
            Is.EqualTo(("alarms{topic}", 1))
        );
        Assert.That(read.Groups[1].Profile.Filters, Is.EqualTo(new[] { "alarms0" }));
    }

    [Test]
    public void The_account_says_what_the_profile_cannot_say()
    {
        var lines = RunTraffic
            .Capture(
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
            )
            .Turned.Summary.Profile.Lines()
            .ToList();

        Assert.That(lines[0], Is.EqualTo("population: 5 clients in 2 groups"));
        Assert.That(
            lines,
            Has.Some.EqualTo(
                "not in the profile: service: they answer messages of asker; in the profile they publish as often by "
                    + "themselves"
            )
        );
    }

    private static UsageProfile Only(RunGroup group) => Read(group).Groups.Single().Profile;

    [Test]
    public void Clients_that_come_at_once_connect_at_once_in_the_profile()
    {
        var meters = Only(
            new("meter", 12)
            {
                Topic = "m/{0}",
                Every = new ConstantLaw(1000),
                IsSimultaneous = true,
                Visits = (1, new ConstantLaw(900)),
            }
        );

        Assert.That(meters.Simultaneous!.Message, Is.EqualTo(OrderStep.Connect));
        Assert.That(meters.WaitMilliseconds.Mean, Is.EqualTo(1500).Within(700), "from CONNACK to PUBLISH");
        Assert.That(meters.Order, Is.EqualTo(new[] { OrderStep.Connect, OrderStep.Publish, OrderStep.Disconnect }));
    }

    private static Population Read(params RunGroup[] groups) =>
        RunTraffic.Capture(groups, 20).Turned.Summary.Profile.Population!;
}
