using System.Text;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Profiles;

/// <summary>What a profile says of single kinds of message: read, written, and followed by the model.</summary>
public sealed class MessageChoicesTests
{
    private const string Rich = """
        {
          "name": "rich",
          "waitMilliseconds": { "constant": 3 },
          "waitMillisecondsBefore": { "publish": { "constant": 70 }, "subscribe": { "uniform": [10, 20] } },
          "weights": { "disconnect": 1, "publish": 5, "subscribe": 3, "unsubscribe": 2 },
          "topics": 9,
          "topicName": "plant/{topic}/state",
          "payloadBytes": { "lognormal": [100, 0.5], "minimum": 50, "maximum": 200 },
          "qos": { "publish": [1, 2, 1], "subscribe": 2 },
          "session": "clean"
        }
        """;

    [Test]
    public void Everything_is_read()
    {
        var profile = Parse(Rich).Groups[0].Profile;
        Assert.That(
            profile.Waits,
            Is.EqualTo(new MessageWaits(null, null, new ConstantLaw(70), new UniformLaw(10, 20), null))
        );
        Assert.That(
            (profile.TopicName, profile.MinimumPayloadBytes, profile.MaximumPayloadBytes, profile.PayloadLaw),
            Is.EqualTo(("plant/{topic}/state", 50, 200, (Law)new LogNormalLaw(100, 0.5)))
        );
        Assert.That(
            (profile.PublishQos, profile.SubscriptionQos, profile.HighestQos, profile.CleanSessions),
            Is.EqualTo((new QosWeights(1, 2, 1), QualityOfService.ExactlyOnce, QualityOfService.ExactlyOnce, true))
        );
    }

    [Test]
    public void The_wait_before_a_message_is_that_of_its_kind()
    {
        var model = new ClientModel(Parse(Rich).Groups[0].Profile);
        foreach (var (wait, action) in Life(model, 5000))
        {
            if (action.Phase == ExchangePhase.Reset)
                Assert.That(wait, Is.Zero);
            else if (action.Kind == MessageKind.Publish)
                Assert.That(wait, Is.EqualTo(70));
            else if (action.Kind == MessageKind.Subscribe)
                Assert.That(wait, Is.InRange(10, 20));
            else
                Assert.That(wait, Is.EqualTo(3));
        }
    }

    // 5000 messages with seed 1: shares to four deviations of the binomial.
    [Test]
    public void Qualities_of_service_and_sizes_follow_their_laws()
    {
        var publications = Life(new ClientModel(Parse(Rich).Groups[0].Profile), 5000)
            .Select(step => step.Action)
            .Where(action => action.Kind == MessageKind.Publish)
            .ToArray();
        var share =
            publications.Count(action => action.Qos == QualityOfService.AtLeastOnce) / (double)publications.Length;
        Assert.That(publications, Has.Length.GreaterThan(1000));
        Assert.That(share, Is.EqualTo(0.5).Within(4 * Math.Sqrt(0.25 / publications.Length)));
        Assert.That(publications.Select(action => action.PayloadBytes), Has.All.InRange(50, 200));
        Assert.That(
            publications.Count(action => action.PayloadBytes < 100) / (double)publications.Length,
            Is.EqualTo(0.5).Within(4 * Math.Sqrt(0.25 / publications.Length) + 0.02)
        );
    }

    [Test]
    public void With_clean_sessions_every_connection_starts_without_subscriptions()
    {
        var model = new ClientModel(Parse(Rich).Groups[0].Profile);
        Assert.That(
            Life(model, 5000).Where(step => step.Action.Kind == MessageKind.Connect).Select(step => step.Action.Clean),
            Has.All.True
        );
    }

    [TestCase("\"topicName\": \"a/b\"", "topicName: \"a/b\" given; allowed: a topic name with {topic} once")]
    [TestCase(
        "\"topicName\": \"a/+/{topic}\"",
        "topicName: \"a/+/{topic}\" given; allowed: a topic name with {topic} once"
    )]
    [TestCase("\"payload\": \"x\"", "payload: \"x\" given; allowed: a text with {number} once")]
    [TestCase("\"payload\": \"{number}\", \"payloadBytes\": 12", "payloadBytes: given beside \"payload\"")]
    [TestCase(
        "\"payloadBytes\": { \"constant\": 5, \"minimum\": 90, \"maximum\": 80 }",
        "minimum 90 is greater than maximum 80"
    )]
    [TestCase("\"payloadBytes\": { \"minimum\": 90 }", "allowed: one of {\"constant\": c}")]
    [TestCase("\"qos\": { \"publish\": [0, 0, 0] }", "not all zero")]
    [TestCase("\"qos\": { \"subscribe\": 1 }", "qos.publish: the key is missing")]
    [TestCase("\"session\": \"none\"", "session: \"none\" given; allowed: \"persistent\", \"clean\"")]
    [TestCase(
        "\"waitMillisecondsBefore\": { \"ping\": { \"constant\": 1 } }",
        "waitMillisecondsBefore.ping: unknown key"
    )]
    public void Wrong_values_are_refused_with_key_and_what_is_allowed(string members, string message) =>
        Assert.That(
            () =>
                Parse(
                    $$"""{ "name": "p", "waitMilliseconds": { "constant": 1 }, "weights": { "publish": 1 }, {{members}} }"""
                ),
            Throws.TypeOf<InputException>().With.Message.Contains(message)
        );

    private static List<(double Wait, ClientAction Action)> Life(ClientModel model, int messages)
    {
        var random = RandomStream.For(1);
        var subscribed = new ulong[model.Words];
        var state = model.Begin(ref random);
        var steps = new List<(double, ClientAction)>();
        for (var i = 0; i < messages; i++)
        {
            var wait = model.NextWaitMilliseconds(state, ref random);
            var action = model.Next(state, subscribed, int.MaxValue, ref random);
            steps.Add((wait, action));
            model.Complete(ref state, subscribed, action, success: true);
        }
        return steps;
    }

    private static Population Parse(string text) => ProfileFile.Parse(Encoding.UTF8.GetBytes(text), "test");
}
