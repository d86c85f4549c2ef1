using System.Collections.Immutable;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Tests.Logs;

namespace MqttCheck.Tests.Learning.Data;

public sealed class TrainingDataTests
{
    private static readonly ExchangeLog Log = SyntheticBroker.TrainingLog(1, "up1", 10);

    [Test]
    public void Successful_exchanges_of_all_phases_are_kept_whatever_their_size()
    {
        var data = TrainingData.From(Log);
        Assert.That(
            data.Rows.Select(row => (row.LatencyMilliseconds, row.Features.Active, row.Features.Subscribers)),
            Is.EqualTo(Log.Exchanges.Select(one => (one.LatencyMilliseconds, one.ActiveMessages, one.Subscribers)))
        );
        Assert.That(
            (data.Runs.Select(run => run.Clients), data.Runs.Sum(run => run.Exchanges)),
            Is.EqualTo((Log.Information.Cases.Select(run => run.Clients), Log.Exchanges.Length))
        );
        Assert.That(data.Notes, Is.Empty);
    }

    [Test]
    public void Failed_exchanges_are_left_out_but_stay_open_for_the_others()
    {
        // A slow publication that fails: the exchanges beside it still count it as open.
        var broken = Change(
            Log,
            exchange =>
                exchange.IssueIndex % 10 == 3
                    ? exchange with
                    {
                        Outcome = ExchangeOutcome.Timeout,
                        LatencyMilliseconds = double.NaN,
                    }
                    : exchange,
            kind => kind == MessageKind.Publish
        );
        var data = TrainingData.From(broken);
        var failed = broken.Exchanges.Count(exchange => exchange.Outcome != ExchangeOutcome.Success);
        Assert.That(failed, Is.Positive);
        Assert.That(
            (data.Rows.Length, data.Origin.FailedExchanges),
            Is.EqualTo((Log.Exchanges.Length - failed, failed))
        );
        Assert.That(
            data.Rows.Select(row => row.Features.Active),
            Is.EqualTo(
                broken
                    .Exchanges.Where(exchange => exchange.Outcome == ExchangeOutcome.Success)
                    .Select(exchange => exchange.ActiveMessages)
            )
        );
    }

    [Test]
    public void Verifying_runs_are_not_learned_from()
    {
        var log = Log with
        {
            Information = Log.Information with
            {
                Cases =
                [
                    .. Log.Information.Cases.Select(run =>
                        run with
                        {
                            Purpose = run.Run < 2 ? RunPurpose.Explore : RunPurpose.Verify,
                        }
                    ),
                ],
            },
        };
        Assert.That(TrainingData.From(log).Rows, Has.Length.EqualTo(Log.Exchanges.Count(exchange => exchange.Run < 2)));
        var none = log with
        {
            Information = log.Information with
            {
                Cases = [.. Log.Information.Cases.Select(run => run with { Purpose = RunPurpose.Verify })],
            },
        };
        Assert.That(
            () => TrainingData.From(none),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo("log: 0 successful exchanges of exploring runs; allowed: at least 100")
        );
    }

    [TestCase(
        3,
        new[] { 3, 4, 5, 6, 7 },
        "In 3 of 8 exploring runs the load generator was late or "
            + "overloaded: the choice between models leaves them out."
    )]
    [TestCase(
        4,
        new[] { 0, 1, 2, 3, 4, 5, 6, 7 },
        "In 4 of 8 exploring runs the load generator was late or overloaded: too "
            + "many to leave them out, so nothing must be concluded from the model."
    )]
    public void Invalid_runs_are_learned_from_and_not_replayed_where_they_are_a_minority(
        int invalid,
        int[] replayed,
        string note
    )
    {
        var data = TrainingData.From(WithInvalid(invalid));
        Assert.That(
            (data.Rows.Length, ObservedCase.Of(data).Select(one => one.Number)),
            Is.EqualTo((Log.Exchanges.Length, replayed))
        );
        Assert.That(data.Notes, Is.EqualTo(new[] { note }));
        Assert.That(data.Cautions, Is.EqualTo(replayed.Length == 8 ? data.Notes : []));
    }

    [Test]
    public void Too_few_exchanges_are_refused()
    {
        var log = Log with { Exchanges = [.. Log.Exchanges.Take(99)], Source = "short.csv" };
        Assert.That(
            () => TrainingData.From(log),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo("short.csv: 99 successful exchanges of exploring runs; allowed: at least 100")
        );
    }

    [Test]
    public void Negative_latencies_are_refused_unless_the_sending_bound_explains_them()
    {
        var slightly = Change(
            Log,
            exchange => exchange with { LatencyMilliseconds = -0.001, SendBoundMicroseconds = 1 }
        );
        var data = TrainingData.From(slightly);
        Assert.That(data.Rows.Select(row => row.LatencyMilliseconds), Has.All.Zero);
        Assert.That(
            data.Notes.Single(),
            Is.EqualTo($"{Log.Exchanges.Length} exchanges have the latency 0: the clock was too coarse for them.")
        );

        var negative = Change(
            Log,
            exchange => exchange.IssueIndex == 7 ? exchange with { LatencyMilliseconds = -3 } : exchange
        );
        Assert.That(
            () => TrainingData.From(negative),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo(
                    "log: run 0, issue_index 7: latency_ms -3 given; allowed: "
                        + "at least 0 (the clocks of sending and receiving must agree)"
                )
        );
        var absent = Change(
            Log,
            exchange => exchange.IssueIndex == 7 ? exchange with { LatencyMilliseconds = double.NaN } : exchange
        );
        Assert.That(
            () => TrainingData.From(absent),
            Throws.InstanceOf<InputException>().With.Message.Contains("a successful exchange has no latency")
        );
    }

    [Test]
    public void Logs_of_different_brokers_or_settings_are_not_mixed()
    {
        var other = Log with
        {
            Source = "other.csv",
            Information = Log.Information with
            {
                Broker = Log.Information.Broker with
                {
                    Details = new Dictionary<string, string> { ["nodelay"] = "false" },
                },
            },
        };
        Assert.That(
            () => TrainingData.From(Log, other),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo(
                    "other.csv: a log of synthetic 1 (default, nodelay false), but log is of synthetic "
                        + "1 (default, nodelay true); allowed: logs of one broker with the same settings"
                )
        );
    }

    [Test]
    public void Logs_of_one_broker_are_learned_from_together()
    {
        var second = SyntheticBroker.TrainingLog(2, "up2", 10);
        var data = TrainingData.From(Log, second);
        Assert.That(
            (data.Rows.Length, data.Runs.Length, data.Rows[^1].Run),
            Is.EqualTo((Log.Exchanges.Length + second.Exchanges.Length, 16, 15))
        );
    }

    [Test]
    public void Missing_kinds_and_constant_features_are_noted()
    {
        var profile = ProfileFile.Read("up1").Groups[0].Profile with { Weights = new MessageWeights(1, 1, 1, 0, 0) };
        var log = SyntheticRun(profile);
        Assert.That(
            TrainingData.From(log).Notes,
            Is.EqualTo(
                new[]
                {
                    "No successful subscribe, unsubscribe in the log: the model cannot predict them.",
                    "No two exchanges were open at once: the model knows nothing of load.",
                    "No topic had a subscriber online: the model knows nothing of deliveries.",
                    "Never changed in the log: subscriptions; the model knows nothing of their effect.",
                }
            )
        );
    }

    [Test]
    public void Part_of_the_runs_can_be_taken()
    {
        var data = TrainingData.From(Log);
        var part = data.OfRuns(run => run % 2 == 1);
        Assert.That(part.Runs, Is.EqualTo(data.Runs.Where((_, run) => run % 2 == 1)));
        Assert.That(
            part.Rows.Select(row => (row.LatencyMilliseconds, row.Run)),
            Is.EqualTo(data.Rows.Where(row => row.Run % 2 == 1).Select(row => (row.LatencyMilliseconds, row.Run / 2)))
        );
    }

    [Test]
    public void How_long_connections_were_set_up_is_known_where_other_messages_leave_when_they_were_meant_to()
    {
        var punctual = Change(
            Log,
            exchange =>
                exchange with
                {
                    IntendedMicroseconds =
                        exchange.SentMicroseconds - (exchange.Message == MessageKind.Connect ? 6000 : 10),
                }
        );
        var late = Change(Log, exchange => exchange with { IntendedMicroseconds = 0 });
        var known = TrainingData.From(punctual).Rows;
        Assert.That(
            known.Where(row => row.Features.Kind == MessageKind.Connect).Select(row => row.SetUpMilliseconds),
            Has.All.EqualTo(6).Within(1e-9)
        );
        Assert.That(
            known.Where(row => row.Features.Kind != MessageKind.Connect).Select(row => row.SetUpMilliseconds),
            Has.All.NaN
        );
        Assert.That(
            TrainingData.From(late).Rows.Select(row => row.SetUpMilliseconds),
            Has.All.NaN,
            "nobody says when messages were meant to be sent"
        );
    }

    [Test]
    public void A_set_up_is_alone_where_nothing_is_open_when_it_begins_and_no_other_begins_before_it_ends()
    {
        Exchange[] run =
        [
            Connect(0, intended: 0, sent: 6_000, end: 8_000),
            Connect(1, intended: 20_000, sent: 26_000, end: 28_000),
            Connect(2, intended: 25_000, sent: 31_000, end: 33_000),
            Connect(3, intended: 32_000, sent: 38_000, end: 40_000),
            Connect(4, intended: 50_000, sent: 56_000, end: 58_000),
            new()
            {
                Message = MessageKind.Publish,
                Client = 0,
                IntendedMicroseconds = 52_000,
                SentMicroseconds = 52_010,
                EndMicroseconds = 52_500,
            },
        ];
        var setUps = ConnectionSetUps.Of(run)!;
        Assert.That(
            run.Take(5).Select(exchange => setUps.IsAlone(exchange)),
            Is.EqualTo(new[] { true, false, false, false, true }),
            "client 3 begins while the CONNECT of client 2 is open"
        );
        Assert.That(
            new[] { 3_000, 6_000, 25_500, 31_000, 52_010.0 }.Select(setUps.InProgress),
            Is.EqualTo(new[] { 1, 0, 2, 0, 1 })
        );
    }

    private static Exchange Connect(int client, double intended, double sent, double end) =>
        new()
        {
            Message = MessageKind.Connect,
            Client = client,
            IntendedMicroseconds = intended,
            SentMicroseconds = sent,
            EndMicroseconds = end,
        };

    private static ExchangeLog WithInvalid(int runs) =>
        Log with
        {
            Information = Log.Information with
            {
                Cases =
                [
                    .. Log.Information.Cases.Select(run =>
                        run with
                        {
                            Health = new RunHealth
                            {
                                Loop = LoadLoop.Closed,
                                GeneratorCpuShare = run.Run < runs ? .9 : .1,
                            },
                        }
                    ),
                ],
            },
        };

    private static ExchangeLog SyntheticRun(UsageProfile profile) =>
        Logs.SyntheticRun.Log(1, [(1, Population.Of(profile), 60_000)], SyntheticBroker.Latency);

    private static ExchangeLog Change(
        ExchangeLog log,
        Func<Exchange, Exchange> change,
        Predicate<MessageKind>? kinds = null
    ) =>
        log with
        {
            Exchanges =
            [
                .. log.Exchanges.Select(exchange =>
                    kinds?.Invoke(exchange.Message) != false ? change(exchange) : exchange
                ),
            ],
        };
}
