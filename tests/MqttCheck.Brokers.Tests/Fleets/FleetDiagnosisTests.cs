using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Latency.Features;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>
/// What a run says of itself, in virtual time, where nothing is ever late; and what profiles ask of single messages.
/// </summary>
public sealed class FleetDiagnosisTests
{
    [Test]
    public void A_run_states_its_loop_its_lag_and_when_it_became_stationary()
    {
        var run = new VirtualRun(setup =>
            setup with
            {
                CountedSequences = 40,
                Population = Population.Of(VirtualRun.Profile(weights: new(1, 1, 20, 1, 1))),
            }
        );

        var result = run.Run();

        Assert.That(
            (result.Health.Loop, result.Health.LagP99Microseconds, result.Health.LagMaximumMicroseconds),
            Is.EqualTo((LoadLoop.Closed, 0, 0))
        );
        Assert.That(
            result.Health.LatencyP99Milliseconds,
            Is.EqualTo(0.2).Within(0.21),
            "one or two trips of 100 us each way"
        );
        Assert.That((result.Health.IsLate, result.WarmUp.State), Is.EqualTo((false, StationarityState.Reached)));
    }

    [Test]
    public void A_template_reaches_every_subscriber_as_its_text()
    {
        Assert.That(
            PayloadTemplate.TryParse(
                """{"time":{time},"client":"{client}","id":"{number}","noise":"{random:10}"}""",
                out var template
            ),
            Is.Null
        );
        var profile = VirtualRun.Profile() with
        {
            Payload = template,
            MinimumPayloadBytes = template!.Bytes,
            MaximumPayloadBytes = template.Bytes,
            TopicName = "plant/{topic}/state",
        };
        var run = VirtualRun.Of(profile);
        var result = run.Run();
        var published = run.Received<PublishPacket>();
        Assert.That(run.Failed, Is.Empty);
        Assert.That((result.Lost, result.Strays), Is.EqualTo((0L, 0L)));
        Assert.That(result.Deliveries, Is.Positive);
        Assert.That(
            published.Select(packet => System.Text.Encoding.UTF8.GetString(packet.Payload.Span)),
            Has.All.Match("""^\{"time":\d{13},"client":"0000\d","id":"[0-9a-f]{24}","noise":"[a-z2-7]{10}"\}$""")
        );
        Assert.That(published.Select(packet => packet.Topic), Has.All.Match("^plant/[0-3]/state$"));
    }

    [Test]
    public void Every_message_has_the_quality_of_service_that_was_drawn_and_the_log_says_which()
    {
        var run = new VirtualRun(setup =>
            setup with
            {
                Population = Population.Of(
                    VirtualRun.Profile() with
                    {
                        PublishQos = new(1, 1, 1),
                        SubscriptionQos = QualityOfService.ExactlyOnce,
                    }
                ),
            }
        );

        run.Run();

        var sent = run.Received<PublishPacket>().Select(packet => packet.Qos).Order().ToArray();
        Assert.That(run.Failed, Is.Empty);
        Assert.That(sent.Distinct().Count(), Is.EqualTo(3));
        Assert.That(
            run.Log.Exchanges.Where(exchange => exchange.Message == MessageKind.Publish)
                .Select(exchange => exchange.Qos)
                .Order(),
            Is.EqualTo(sent)
        );
        Assert.That(
            run.Received<SubscribePacket>().Select(packet => packet.Subscriptions[0].Qos),
            Has.All.EqualTo(QualityOfService.ExactlyOnce)
        );
    }

    [Test]
    public void Clean_sessions_leave_nothing_behind_a_connection(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        var run = VirtualRun.Of(VirtualRun.Profile() with { CleanSessions = true }, version);

        var result = run.Run();

        Assert.That(run.Failed, Is.Empty);
        Assert.That((result.Lost, result.SessionsLeft), Is.EqualTo((0L, 0)));
        Assert.That(run.Received<ConnectPacket>().Select(packet => packet.CleanStart), Has.All.True);
        var replayed = ExchangeLogReplay.Features(run.Log.Exchanges.ToArray(), [.. Enumerable.Repeat(true, 5)]);

        Assert.That(
            run.Log.Exchanges.Zip(replayed)
                .Count(pair => pair.First.TotalSubscriptions == pair.Second.TotalSubscriptions),
            Is.GreaterThanOrEqualTo(0.97 * run.Log.Exchanges.Count)
        );
    }
}
