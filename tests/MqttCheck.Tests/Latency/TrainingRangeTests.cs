using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Latency;

/// <summary>Each feature of a question that training has not seen is named, and no other.</summary>
[TestFixture]
internal sealed class TrainingRangeTests
{
    private const int Clients = 20;
    private static readonly LearnedModel s_shipped = LatencyModelFile.Read(RepositoryFiles.Model);
    private static readonly UsageProfile s_up1 = ProfileFile.Read("up1").Groups[0].Profile;

    // Two profiles at the corners of a box, with 10 and with 50 clients.
    private static readonly LearnedModel s_boxed = s_shipped with
    {
        Training = s_shipped.Training with
        {
            Profile = s_shipped.Training.Profile! with
            {
                Seen = TrainingSeen.Of(
                    new AskedFleet(Corner(100, 50, 200, 0), [10]),
                    new AskedFleet(Corner(800, 500, 40, 1), [50])
                ),
            },
        },
        Ranges = new(50, 100, 50, 1e6) { Smallest = new(10, 1, 0, 1) },
    };

    // The seed is fixed, and an oracle decides beside the code under test: there are no false alarms.
    [Test]
    public void Sixty_questions_name_what_lies_outside_of_the_box_and_nothing_that_lies_inside()
    {
        var random = new Random(50);
        var named = new HashSet<string>();
        for (var question = 0; question < 60; question++)
        {
            var (profile, outside) = Ask(random);
            var findings = TrainingRange.Of(s_boxed, Population.Of(profile), Clients);
            Assert.That(findings.Select(finding => finding.Feature), Is.EquivalentTo(outside), $"{question}");
            Assert.That(
                findings.Select(finding => finding.Sentence),
                Is.All.Contains("'mqttcheck explore --profile up1 --up-to-clients 20'")
            );
            named.UnionWith(outside);
        }
        Assert.That(named, Has.Count.EqualTo(7));
    }

    [Test]
    public void A_number_that_is_a_tenth_beyond_is_near_the_edge()
    {
        Assert.That(PlaceOf(800), Is.Null);
        Assert.That(PlaceOf(880), Is.EqualTo(TrainingPlace.Edge));
        Assert.That(PlaceOf(881), Is.EqualTo(TrainingPlace.Outside));

        static TrainingPlace? PlaceOf(int bytes) =>
            TrainingRange.Of(s_boxed, Corner(bytes, 100, 100, 1), Clients).SingleOrDefault()?.Place;
    }

    [Test]
    public void A_file_that_names_built_in_profiles_says_their_payloads_and_qualities_of_service()
    {
        var seen = s_shipped.Seen!;
        Assert.That(seen.PayloadBytes, Is.EqualTo(new MqttCheck.Statistics.Interval(12, 80)));
        Assert.That((seen.PublishQos, seen.SubscribeQos), Is.EqualTo(((int[])[1], (int[])[1])));
        Assert.That(seen.Sessions, Is.EqualTo((string[])["persistent"]));
        Assert.That(seen.WaitMilliseconds, Is.EqualTo(s_shipped.Training.Profile!.MeanWaitMilliseconds));
    }

    [Test]
    public void A_file_that_names_other_profiles_does_not_say_what_its_clients_did()
    {
        var training = s_shipped.Training with { Profile = s_shipped.Training.Profile! with { Names = ["mine"] } };
        var findings = TrainingRange.Of(s_shipped with { Training = training }, Population.Of(s_up1), Clients);
        Assert.That(findings.Single().Place, Is.EqualTo(TrainingPlace.NotRecorded));
    }

    [Test]
    public void What_was_never_seen_is_refused_with_every_feature_that_is_outside()
    {
        var far = Population.Of(
            s_up1 with
            {
                MinimumPayloadBytes = 1_000_000,
                MaximumPayloadBytes = 1_000_000,
                Qos = QualityOfService.ExactlyOnce,
            }
        );
        Assert.That(
            () => TrainingRange.Admitted(s_shipped, far, Clients, beyond: false),
            Throws
                .InstanceOf<InputException>()
                .With.Message.Contains("QoS of publications: 2 given; the model has seen 1 only")
                .And.Message.Contains("1000000 bytes at most; the model has seen 12 to 80")
                .And.Message.Contains("--beyond")
        );
        Assert.That(TrainingRange.Admitted(s_shipped, far, Clients, beyond: true), Has.Count.EqualTo(3));
    }

    // The seed is fixed, and the offered load decides beside the code under test: there are no false alarms.
    [Test]
    public void A_load_beyond_twice_the_largest_is_refused_in_every_question_and_one_within_in_none()
    {
        var random = new Random(55);
        var (beyond, within) = (0, 0);
        while (beyond < 100 || within < 100)
        {
            var profile = s_up1 with { WaitMilliseconds = new ConstantLaw(random.Next(50, 501)) };
            var (population, clients) = (Population.Of(profile), random.Next(1, 51));
            var load = LearnedModel.OfferedLoad(population, clients);
            var factor = Math.Pow(2, 4 * random.NextDouble() - 1);
            var seen = load / factor;
            // The largest load may be the measured one or the one that clients meant to send.
            var ranges =
                random.Next(2) == 0
                    ? s_boxed.Ranges with
                    {
                        MessagesPerSecond = seen,
                    }
                    : s_boxed.Ranges with
                    {
                        MessagesPerSecond = seen / 3,
                        OfferedPerSecond = seen,
                    };
            var model = s_boxed with { Ranges = ranges with { Clients = 50 } };
            var asked = TrainingRange.Of(model, population, clients);
            var isRefused = Refusal(model, population, clients) is not null;
            Assert.That(isRefused, Is.EqualTo(factor > 2), $"{factor}");
            // Between once and twice the measured load it is answered with a caution.
            if (factor is > 1 and <= 2)
                Assert.That(asked, Has.Some.Property(nameof(TrainingFinding.Place)).EqualTo(TrainingPlace.Outside));
            _ = factor > 2 ? beyond++ : within++;
        }
    }

    [Test]
    public void A_refused_load_says_what_was_asked_what_was_seen_and_what_widens_it()
    {
        var message = Refusal(s_shipped, Population.Of(s_up1), 1000)!;
        Assert.That(
            message.Split('\n')[0],
            Is.EqualTo(
                "Far beyond training: 1000 clients of up1 offer up to 5200 messages/s, more than twice the largest "
                    + "load that the model has seen, 2401 messages/s. 'mqttcheck explore --profile up1 "
                    + "--up-to-clients 1000' gives a log to learn from that has."
            )
        );
        Assert.That(message, Does.EndWith("next step: that command, or '--beyond' for an answer without ground"));
        var answered = TrainingRange.Admitted(s_shipped, Population.Of(s_up1), 1000, beyond: true);
        Assert.That(answered[0].Sentence, Does.StartWith("Far beyond training: 1000 clients"), "first of all");
    }

    [Test]
    public void Clients_that_do_not_wait_are_refused_by_their_number()
    {
        var busy = Population.Of(s_up1 with { WaitMilliseconds = new ConstantLaw(0) });
        Assert.That(Refusal(s_shipped, busy, 200), Is.Null);
        Assert.That(
            Refusal(s_shipped, busy, 201),
            Does.Contain("201 clients of up1 do not wait, more than twice the largest load").And.Contains("100 clients")
        );
    }

    [Test]
    public void The_border_of_a_search_is_the_last_fleet_that_is_answered()
    {
        var population = Population.Of(s_up1);
        var border = TrainingRange.Border(s_shipped, population, 1, 5000);
        Assert.That(Refusal(s_shipped, population, border), Is.Null);
        Assert.That(Refusal(s_shipped, population, border + 1), Is.Not.Null);
        Assert.That(TrainingRange.Border(s_shipped, population, 1, 20), Is.EqualTo(20));
        Assert.That(TrainingRange.Border(s_shipped, population, 2000, 3000), Is.EqualTo(2000));
    }

    private static string? Refusal(LearnedModel model, Population population, int clients)
    {
        try
        {
            TrainingRange.Admitted(model, population, clients, beyond: false);
            return null;
        }
        catch (InputException refused)
        {
            return refused.Message;
        }
    }

    private static Population Corner(int bytes, double wait, int topics, int qos) =>
        Population.Of(
            s_up1 with
            {
                MinimumPayloadBytes = bytes,
                MaximumPayloadBytes = bytes,
                WaitMilliseconds = new ConstantLaw(wait),
                Topics = topics,
                Qos = (QualityOfService)qos,
            }
        );

    // Each feature is outside in one question of four.
    private static (UsageProfile Profile, List<string> Outside) Ask(Random random)
    {
        var outside = new List<string>();
        var bytes = Is("payload size")
            ? Either(random.Next(12, 80), random.Next(900, 1_000_000))
            : random.Next(100, 801);
        var wait = Is("mean wait") ? Either(random.Next(1, 40), random.Next(600, 5000)) : random.Next(50, 501);
        var topics = Is("subscribers of a topic")
            ? Either(random.Next(1, 4), random.Next(2000, 9000))
            : random.Next(50, 200);
        var isQosSeen = !Is("QoS of publications");
        if (!isQosSeen)
            outside.Add("QoS of subscriptions");
        var isPersistent = !Is("session");
        var isVersion5 = Is("messageExpirySeconds");
        var profile = Corner(bytes, wait, topics, isQosSeen ? random.Next(2) : 2).Groups[0].Profile;
        return (profile with { CleanSessions = !isPersistent, MessageExpirySeconds = isVersion5 ? 60 : null }, outside);

        bool Is(string feature)
        {
            var isOutside = random.Next(4) == 0;
            if (isOutside)
                outside.Add(feature);
            return isOutside;
        }

        int Either(int below, int above) => random.Next(2) == 0 ? below : above;
    }
}
