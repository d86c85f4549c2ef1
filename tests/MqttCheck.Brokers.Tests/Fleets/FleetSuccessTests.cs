using MqttCheck.Brokers.Fleets;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>Runs against a broker that does what it should, in virtual time.</summary>
public sealed class FleetSuccessTests
{
    [Test]
    public void Every_client_has_exactly_the_counted_sequences(
        [Values] QualityOfService qos,
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        var run = VirtualRun.Of(VirtualRun.Profile(qos: qos), version);
        var result = run.Run();
        Assert.That(run.Failed, Is.Empty);
        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(result.Outcomes.Select(outcome => outcome.Status), Has.All.EqualTo(OutcomeStatus.Completed));
        Assert.That(result.Outcomes.Select(outcome => outcome.IssueIndex), Is.EqualTo(Enumerable.Range(0, 20)));
        Assert.That(
            result.Outcomes.Select(outcome => (outcome.Client, outcome.Sequence)).Order(),
            Is.EqualTo(
                from client in Enumerable.Range(0, 5)
                from sequence in Enumerable.Range(1, 4)
                select (client, sequence)
            )
        );
        Assert.That(
            run.Log.Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted)
                .GroupBy(exchange => (exchange.Client, exchange.Sequence))
                .Select(group => group.Count()),
            Has.All.EqualTo(10).And.Exactly(20).Items
        );
        Assert.That(
            (result.Exchanges, result.Lost, result.Duplicates, result.Strays, result.SessionsLeft),
            Is.EqualTo((run.Log.Exchanges.Count, 0, 0, 0, 0))
        );
        Assert.That(
            (run.Broker.Sessions, result.Publications, result.Interrupted),
            Is.EqualTo((0, run.Log.Exchanges.Count(exchange => exchange.Message == MessageKind.Publish), false))
        );
    }

    [Test]
    public void Outcomes_are_the_largest_latencies_of_their_exchanges()
    {
        var run = new VirtualRun();

        var result = run.Run();

        foreach (var outcome in result.Outcomes)
        {
            var own = run
                .Log.Exchanges.Where(exchange =>
                    exchange.Client == outcome.Client
                    && exchange.Sequence == outcome.Sequence
                    && exchange.Phase == ExchangePhase.Counted
                )
                .ToArray();
            var publications = own.Where(exchange => exchange.Message == MessageKind.Publish).ToArray();
            Assert.That(
                outcome.Latencies,
                Is.EqualTo(
                        new SequenceLatencies(
                            own.Max(exchange => exchange.LatencyMilliseconds),
                            publications.Select(exchange => exchange.LatencyMilliseconds).DefaultIfEmpty(0).Max(),
                            publications
                                .Select(exchange => exchange.AcknowledgedMicroseconds - exchange.SentMicroseconds)
                                .DefaultIfEmpty(0)
                                .Max() / 1e3
                        )
                    )
                    .Using<SequenceLatencies, SequenceLatencies>(IsClose)
            );
        }

        static bool IsClose(SequenceLatencies left, SequenceLatencies right) =>
            Math.Abs(left.WorstMilliseconds - right.WorstMilliseconds) < 1e-6
            && Math.Abs(left.WorstPublishMilliseconds - right.WorstPublishMilliseconds) < 1e-6
            && Math.Abs(left.WorstAcknowledgementMilliseconds - right.WorstAcknowledgementMilliseconds) < 1e-6;
    }

    [Test]
    public void The_log_replays_to_the_features_that_it_holds()
    {
        var run = new VirtualRun(setup => setup with { Clients = 20 });

        run.Run();

        // At the end all clients act at the same instant, where the log cannot tell which came first.
        var lastCounted = run
            .Log.Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted)
            .Max(exchange => exchange.EndMicroseconds);
        var exchanges = run.Log.Exchanges.Where(exchange => exchange.SentMicroseconds < lastCounted).ToArray();
        var replayed = ExchangeLogReplay.Features(exchanges);
        Assert.That(
            exchanges.Select(exchange =>
                (exchange.IssueIndex, exchange.ActiveMessages, exchange.TotalSubscriptions, exchange.Subscribers)
            ),
            Is.EqualTo(
                exchanges.Zip(
                    replayed,
                    (exchange, features) =>
                        (exchange.IssueIndex, features.Active, features.TotalSubscriptions, features.Subscribers)
                )
            )
        );
    }

    [Test]
    public void Times_are_in_order_and_a_latency_is_the_later_of_acknowledgement_and_delivery()
    {
        var run = new VirtualRun();

        run.Run();

        foreach (var exchange in run.Log.Exchanges)
        {
            Assert.That(exchange.IntendedMicroseconds, Is.LessThanOrEqualTo(exchange.SentMicroseconds));
            Assert.That(
                exchange.AcknowledgedMicroseconds,
                Is.GreaterThanOrEqualTo(exchange.SentMicroseconds).And.LessThanOrEqualTo(exchange.EndMicroseconds)
            );
            if (exchange.Receivers > 0)
                Assert.That(exchange.LastDeliveryMicroseconds, Is.LessThanOrEqualTo(exchange.EndMicroseconds));
            Assert.That(
                exchange.LatencyMilliseconds,
                Is.EqualTo((exchange.EndMicroseconds - exchange.SentMicroseconds) / 1e3).Within(1e-9)
            );
        }
        // Two trips of 100 us.
        Assert.That(
            run.Log.Exchanges.Select(exchange => exchange.LatencyMilliseconds).Min(),
            Is.EqualTo(0.2).Within(1e-9)
        );
        Assert.That(
            run.Log.Exchanges.Where(exchange => exchange.Message == MessageKind.Publish && exchange.Subscribers > 0),
            Is.Not.Empty
        );
        Assert.That(
            run.Log.Exchanges.Where(exchange => exchange.Message == MessageKind.Publish),
            Has.All.Matches<Exchange>(exchange => exchange.Receivers <= exchange.Subscribers)
        );
    }

    [Test]
    public void The_clients_choose_what_the_model_draws_from_their_streams()
    {
        var run = new VirtualRun(setup => setup with { Clients = 3, Seed = 7, Run = 2 });

        run.Run();

        var profile = run.Setup.Population.Groups[0].Profile;
        for (var client = 0; client < 3; client++)
        {
            var model = new ClientModel(profile);
            var random = RandomStream.For(7, 2, (ulong)client);
            var state = model.Begin(ref random);
            var subscribed = new ulong[model.Words];
            foreach (
                var exchange in run.Log.Exchanges.Where(exchange =>
                    exchange.Client == client && exchange.Phase != ExchangePhase.CoolDown
                )
            )
            {
                model.NextWaitMilliseconds(state, ref random);
                var action = model.Next(state, subscribed, 4, ref random);
                if (action.Phase == ExchangePhase.CoolDown)
                    break;
                Assert.That(
                    (exchange.Message, exchange.Topic, exchange.MessageSize, exchange.Phase, exchange.Sequence),
                    Is.EqualTo((action.Kind, action.Topic, action.PayloadBytes, action.Phase, state.Sequence))
                );
                model.Complete(ref state, subscribed, action, success: true);
            }
        }
    }

    [Test]
    public void The_same_seed_gives_the_same_run_and_another_run_number_another_one()
    {
        var first = new VirtualRun();
        var same = new VirtualRun();
        var other = new VirtualRun(setup => setup with { Run = 1 });

        first.Run();
        same.Run();
        other.Run();

        Assert.That(same.Log.Exchanges, Is.EqualTo(first.Log.Exchanges));
        Assert.That(
            other.Log.Exchanges.Select(exchange => exchange.SentMicroseconds),
            Is.Not.EqualTo(first.Log.Exchanges.Select(exchange => exchange.SentMicroseconds))
        );
    }

    [Test]
    public void Waits_are_kept_and_the_intended_time_is_their_end()
    {
        var run = new VirtualRun(setup =>
            setup with
            {
                Population = Population.Of(VirtualRun.Profile(wait: new ConstantLaw(20))),
                Clients = 1,
            }
        );

        run.Run();

        var inSequence = run.Log.Exchanges.Where(exchange => exchange.Phase != ExchangePhase.Reset).ToArray();
        foreach (var (before, after) in run.Log.Exchanges.Zip(run.Log.Exchanges.Skip(1)))
        {
            var wait = after.Phase == ExchangePhase.Reset ? 0 : 20_000;
            Assert.That(after.IntendedMicroseconds - before.EndMicroseconds, Is.EqualTo(wait).Within(1e-6));
        }
        Assert.That(inSequence, Is.Not.Empty);
    }

    [Test]
    public void A_run_bounded_by_time_counts_whole_sequences_and_leaves_the_cut_ones_unfinished()
    {
        var run = new VirtualRun(setup =>
            setup with
            {
                CountedSequences = null,
                Duration = TimeSpan.FromMilliseconds(500),
            }
        );

        var result = run.Run();

        Assert.That(run.Failed, Is.Empty);
        Assert.That(result.Outcomes.Count(outcome => outcome.Status == OutcomeStatus.Completed), Is.GreaterThan(10));
        Assert.That(result.Outcomes.Count(outcome => outcome.Status == OutcomeStatus.Unfinished), Is.InRange(1, 5));
        Assert.That(result.Outcomes.Select(outcome => outcome.Status), Has.None.EqualTo(OutcomeStatus.Failed));
        Assert.That(
            run.Log.Exchanges.Where(exchange => exchange.Phase != ExchangePhase.Reset)
                .Max(exchange => exchange.SentMicroseconds),
            Is.LessThanOrEqualTo(500_000)
        );
        Assert.That(run.Log.Exchanges.Select(exchange => exchange.Phase), Has.None.EqualTo(ExchangePhase.CoolDown));
        Assert.That(run.Broker.Sessions, Is.Zero);
    }

    [Test]
    public void The_load_is_kept_up_until_the_last_counted_sequence_has_ended()
    {
        var run = new VirtualRun();

        var result = run.Run();

        var lastCounted = run
            .Log.Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted)
            .MaxBy(exchange => exchange.EndMicroseconds);
        for (var client = 0; client < run.Setup.Clients; client++)
        {
            var own = run.Log.Exchanges.Where(exchange => exchange.Client == client).ToArray();
            Assert.That(
                own[^1].EndMicroseconds,
                Is.GreaterThanOrEqualTo(lastCounted.EndMicroseconds),
                $"client {client}"
            );
            Assert.That(own[^1], Has.Property(nameof(Exchange.Message)).EqualTo(MessageKind.Disconnect));
        }
        Assert.That(
            run.Log.Exchanges.Where(exchange => exchange.Phase != ExchangePhase.Reset)
                .Max(exchange => exchange.SentMicroseconds),
            Is.LessThanOrEqualTo(lastCounted.EndMicroseconds)
        );
        Assert.That(
            result.Duration.TotalMicroseconds,
            Is.EqualTo(run.Log.Exchanges.Max(exchange => exchange.EndMicroseconds)).Within(1)
        );
    }

    [Test]
    public void Groups_follow_their_own_profiles()
    {
        var quiet = VirtualRun.Profile(weights: new(1, 1, 0, 0, 0)) with { Name = "quiet" };
        var run = new VirtualRun(setup =>
            setup with
            {
                Population = new()
                {
                    Name = "mixed",
                    Groups = [new("busy", 1, VirtualRun.Profile()), new("quiet", 1, quiet)],
                },
                Clients = 6,
            }
        );

        run.Run();

        var groups = run.Setup.Population.Assign(6).ToArray();
        var publishers = run
            .Log.Exchanges.Where(exchange => exchange.Message == MessageKind.Publish)
            .Select(exchange => exchange.Client)
            .Distinct()
            .Order();
        Assert.That(publishers, Is.EqualTo(Enumerable.Range(0, 6).Where(client => groups[client] == 0)));
    }

    [Test]
    public void A_rate_cap_spreads_the_requests()
    {
        var run = new VirtualRun(setup =>
            setup with
            {
                Population = Population.Of(VirtualRun.Profile(wait: new ConstantLaw(0))),
                CountedSequences = 1,
                MaximumRequestsPerSecond = 100,
            }
        );

        var result = run.Run();

        // A connect leaves two trips after its slot, so requests may come that much closer.
        var sent = run.Log.Exchanges.Select(exchange => exchange.SentMicroseconds).Order().ToArray();
        Assert.That(
            sent.Zip(sent.Skip(1), (before, after) => after - before),
            Has.All.GreaterThanOrEqualTo(10_000 - 201)
        );
        Assert.That(run.Failed, Is.Empty);
        Assert.That(result.Outcomes, Has.Count.EqualTo(5));
    }

    [Test]
    public void Progress_is_told_at_most_every_tenth_of_a_second_and_ends_with_all_done()
    {
        var told = new List<FleetProgress>();
        var run = new VirtualRun { Progress = new ProgressHandler<FleetProgress>(told.Add) };

        var result = run.Run();

        Assert.That(
            told.Zip(told.Skip(1), (before, after) => after.Elapsed - before.Elapsed).SkipLast(1),
            Has.All.GreaterThanOrEqualTo(TimeSpan.FromMilliseconds(100))
        );
        Assert.That(
            told[^1] with
            {
                Elapsed = default,
            },
            Is.EqualTo(new FleetProgress(default, result.Exchanges, result.Exchanges, 0, 20, 20))
        );
    }

    [Test]
    public void Credentials_and_a_persistent_session_are_asked_for()
    {
        var run = new VirtualRun(setup => setup with { Credentials = new("user", "secret") });

        run.Run();

        var connects = run.Received<ConnectPacket>();
        Assert.That(
            connects.Select(connect => (connect.UserName, connect.Password?.ToText())),
            Has.All.EqualTo(("user", "secret"))
        );
        Assert.That(
            connects.Select(connect => connect.ClientId).Distinct().Order(),
            Is.EqualTo(Enumerable.Range(0, 5).Select(client => $"mqttcheck0badcafec{client}"))
        );
        Assert.That(
            connects.Count(connect => connect.CleanStart),
            Is.EqualTo(
                run.Log.Exchanges.Count(exchange =>
                    exchange is { Message: MessageKind.Connect, Phase: ExchangePhase.Reset }
                )
            )
        );
    }
}
