using System.Collections.Immutable;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Logs;

/// <summary>
/// The latency, in milliseconds, of an exchange with the given features; negative for a failure after that time.
/// </summary>
internal delegate double SyntheticLatency(in ExchangeFeatures features, ref RandomStream random);

/// <summary>
/// A small event loop that stands for a live fleet: client models on a broker with a known latency, with the log and
/// the features a fleet would have written.
/// </summary>
internal static class SyntheticRun
{
    /// <summary>A log of several runs.</summary>
    public static ExchangeLog Log(
        ulong seed,
        IEnumerable<(int Clients, Population Population, double Milliseconds)> runs,
        SyntheticLatency latency
    )
    {
        var cases = runs.Select((run, index) => (run, index)).ToList();
        return new ExchangeLog
        {
            Exchanges =
            [
                .. cases.SelectMany(item =>
                    Exchanges(
                        seed,
                        item.index,
                        item.run.Clients,
                        item.run.Population,
                        item.run.Milliseconds,
                        latency
                    ).Exchanges
                ),
            ],
            Information = new()
            {
                ToolVersion = "test",
                Seed = seed,
                Started = DateTimeOffset.UnixEpoch,
                Broker = new("synthetic", "1", "default", new Dictionary<string, string> { ["nodelay"] = "true" }),
                Machine = new("test", 2, "test", "test"),
                Cases =
                [
                    .. cases.Select(item => new RunCase
                    {
                        Run = item.index,
                        Purpose = RunPurpose.Explore,
                        Clients = item.run.Clients,
                        Population = item.run.Population,
                    }),
                ],
                Complete = true,
            },
        };
    }

    public static (ImmutableArray<Exchange> Exchanges, ImmutableArray<ExchangeFeatures> Live) Exchanges(
        ulong seed,
        int run,
        int clients,
        Population population,
        double milliseconds,
        SyntheticLatency latency
    )
    {
        var groups = population.Assign(clients).ToArray();
        var models = population.Groups.Select(group => new ClientModel(group.Profile)).ToArray();
        var fold = new FeatureFold(clients, population.Topics, withheld: true);
        var streams = new RandomStream[clients];
        var states = new ClientState[clients];
        var bits = new ulong[clients][];
        var open = new (Exchange Exchange, ClientAction Action, bool Success)?[clients];
        var queue = new PriorityQueue<int, (double Time, int Order)>();
        var result = new List<Exchange>();
        var live = new List<ExchangeFeatures>();
        var where = new int[clients];
        var order = 0;
        for (var client = 0; client < clients; client++)
        {
            streams[client] = RandomStream.For(seed, (ulong)run, (ulong)client);
            var model = models[groups[client]];
            bits[client] = new ulong[model.Words];
            states[client] = model.Begin(ref streams[client]);
            queue.Enqueue(client, (model.NextWaitMilliseconds(states[client], ref streams[client]), order++));
        }
        var issue = 0L;
        while (queue.TryDequeue(out var client, out var key))
        {
            var model = models[groups[client]];
            ref var random = ref streams[client];
            if (open[client] is { } ended)
            {
                fold.End(client, ended.Action, ended.Exchange.Subscribers, ended.Success, key.Time);
                if (ended.Exchange.Outcome == ExchangeOutcome.ConnectionLost)
                    fold.ConnectionLost(client);
                model.Complete(ref states[client], bits[client], ended.Action, ended.Success);
                if (ended.Exchange.Outcome == ExchangeOutcome.ConnectionLost)
                    ClientModel.ConnectionLost(ref states[client]);
                open[client] = null;
                if (key.Time < milliseconds)
                    queue.Enqueue(client, (key.Time + model.NextWaitMilliseconds(states[client], ref random), order++));
                continue;
            }
            var action = model.Next(states[client], bits[client], int.MaxValue, ref random);
            var features = fold.Start(client, action, key.Time);
            var drawn = latency(features, ref random);
            var end = key.Time + Math.Abs(drawn);
            var exchange = new Exchange
            {
                Message = action.Kind,
                ActiveMessages = features.Active,
                TotalSubscriptions = features.TotalSubscriptions,
                TopicSize = action.Topic >= 0 ? 8 : 0,
                MessageSize = action.PayloadBytes,
                Subscribers = features.Subscribers,
                Receivers = features.Subscribers,
                LatencyMilliseconds = drawn >= 0 ? drawn : double.NaN,
                Run = run,
                Client = client,
                Sequence = states[client].Sequence,
                IssueIndex = issue++,
                IntendedMicroseconds = key.Time * 1000,
                SentMicroseconds = key.Time * 1000,
                SendBoundMicroseconds = 1.5,
                AcknowledgedMicroseconds = drawn >= 0 ? end * 1000 : double.NaN,
                LastDeliveryMicroseconds = features.Subscribers > 0 && drawn >= 0 ? end * 1000 : double.NaN,
                EndMicroseconds = end * 1000,
                Qos = model.Profile.Qos,
                Topic = action.Topic,
                Phase = action.Phase,
                Outcome =
                    drawn >= 0 ? ExchangeOutcome.Success
                    : issue % 2 == 0 ? ExchangeOutcome.ConnectionLost
                    : ExchangeOutcome.Timeout,
            };
            result.Add(exchange);
            live.Add(features);
            open[client] = (exchange, action, drawn >= 0);
            queue.Enqueue(client, (end, order++));
        }
        return ([.. result], [.. live]);
    }
}
