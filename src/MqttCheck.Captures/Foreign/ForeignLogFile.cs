using MqttCheck.Clients;
using MqttCheck.Logs;

namespace MqttCheck.Captures.Foreign;

/// <summary>Writes the exchange log of another program's log.</summary>
internal static class ForeignLogFile
{
    private const int LastTopic = 65_535;
    private const int MostClients = 1_000_000;

    /// <summary>Writes a log.</summary>
    /// <param name="log">The contents.</param>
    /// <param name="source">The file that they come from.</param>
    /// <param name="path">The path of the new log.</param>
    /// <param name="toolVersion">The version that is noted in it.</param>
    /// <exception cref="InputException">It holds no exchange, or too many clients.</exception>
    public static ForeignSummary Write(ForeignLog log, string source, string path, string toolVersion)
    {
        if (log.Exchanges.Count == 0)
            throw new InputException(
                $"{source}: {log.Format}, but no exchange in it"
                    + string.Concat(log.NotUsed.Select(one => $"; {one.Value} {one.Key}"))
                    + "; allowed: lines of connects, publications or subscriptions"
            );
        var exchanges = log.Exchanges.OrderBy(exchange => exchange.Sent).ToArray();
        var clients = Numbers(exchanges.Select(exchange => exchange.Client).Concat(log.Subscribers), int.MaxValue);
        if (clients.Count > MostClients)
            throw new InputException($"{source}: {clients.Count} clients; allowed: {MostClients} at most");
        var topics = Numbers(exchanges.Where(IsOfTopic).Select(exchange => exchange.Topic), LastTopic);
        var zero = exchanges[0].Sent;
        var last = exchanges.Max(exchange => exchange.End ?? exchange.Sent);
        using (var writer = new ExchangeLogWriter(path))
            Append(writer, log, exchanges, clients, topics, (zero, last));
        var duration = TimeSpan.FromMicroseconds((last - zero) / 1000);
        RunInformationFile.Write(path, InformationOn(log, exchanges, clients, topics, duration, toolVersion));
        return new(source, path, log, clients.Count, exchanges.Length, duration)
        {
            WithoutEnd = exchanges.Count(exchange => exchange.Outcome == ExchangeOutcome.Cancelled),
            Failed = exchanges.Count(exchange => exchange.HasFailed),
        };
    }

    private static void Append(
        ExchangeLogWriter writer,
        ForeignLog log,
        ForeignExchange[] exchanges,
        Dictionary<string, int> clients,
        Dictionary<string, int> topics,
        (long Zero, long Last) span
    )
    {
        var ends = new PriorityQueue<int, long>();
        var subscriptions = log.Subscribers.Count * topics.Count;
        for (var i = 0; i < exchanges.Length; i++)
        {
            ref readonly var exchange = ref exchanges[i];
            while (ends.TryPeek(out _, out var next) && next <= exchange.Sent)
                ends.Dequeue();
            var end = exchange.End ?? span.Last;
            ends.Enqueue(i, end);
            var isSuccess = exchange.Outcome == ExchangeOutcome.Success;
            double Microseconds(long time) => (time - span.Zero) / 1e3;
            writer.Append(
                new()
                {
                    Message = exchange.Kind,
                    ActiveMessages = ends.Count,
                    TotalSubscriptions = subscriptions,
                    TopicSize = Math.Min(exchange.Topic.Length, ushort.MaxValue),
                    MessageSize = exchange.Size,
                    Subscribers = exchange.Kind == MessageKind.Publish ? log.Subscribers.Count : 0,
                    Receivers = exchange.Receivers,
                    LatencyMilliseconds = isSuccess ? (end - exchange.Sent) / 1e6 : double.NaN,
                    Client = clients[exchange.Client],
                    Sequence = 1,
                    IssueIndex = i,
                    IntendedMicroseconds = Microseconds(exchange.Sent),
                    SentMicroseconds = Microseconds(exchange.Sent),
                    SendBoundMicroseconds = log.ResolutionNanoseconds / 1e3,
                    AcknowledgedMicroseconds = isSuccess && !exchange.EndsWithDelivery ? Microseconds(end) : double.NaN,
                    LastDeliveryMicroseconds = isSuccess && exchange.EndsWithDelivery ? Microseconds(end) : double.NaN,
                    Qos = exchange.Qos,
                    Topic = IsOfTopic(exchange) ? topics[exchange.Topic] : -1,
                    Phase = ExchangePhase.Counted,
                    Outcome = exchange.Outcome,
                    EndMicroseconds = Microseconds(end),
                }
            );
        }
    }

    private static bool IsOfTopic(ForeignExchange exchange) =>
        exchange.Kind is MessageKind.Publish or MessageKind.Subscribe or MessageKind.Unsubscribe;

    // The column of topics ends there: the last number stands for all the rest.
    private static Dictionary<string, int> Numbers(IEnumerable<string> names, int last)
    {
        var numbers = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (var name in names)
            numbers.TryAdd(name, Math.Min(numbers.Count, last));
        return numbers;
    }

    private static RunInformation InformationOn(
        ForeignLog log,
        ForeignExchange[] exchanges,
        Dictionary<string, int> clients,
        Dictionary<string, int> topics,
        TimeSpan duration,
        string toolVersion
    )
    {
        var started = DateTimeOffset.UnixEpoch.AddTicks(exchanges[0].Sent / 100);
        var connecting = exchanges
            .GroupBy(exchange => exchange.Client, StringComparer.Ordinal)
            .Where(client => client.First().Kind == MessageKind.Connect)
            .Select(client => clients[client.Key])
            .ToHashSet();
        return new()
        {
            ToolVersion = toolVersion,
            Seed = 0,
            Started = started,
            Broker = LoggedBroker.Unknown,
            Machine = MachineInformation.Unknown,
            Engine = new Dictionary<string, string>
            {
                ["source"] = log.Format,
                ["latencies"] = log.Latencies,
                ["missing"] = string.Join("; ", log.Missing),
            },
            Complete = true,
            Cases =
            [
                new()
                {
                    Run = 0,
                    Purpose = RunPurpose.Explore,
                    Clients = clients.Count,
                    Duration = duration,
                    Started = started,
                    Ended = started + duration,
                    Sessions = new()
                    {
                        Online = [.. clients.Values.Where(client => !connecting.Contains(client)).Order()],
                        Subscriptions =
                        [
                            .. log.Subscribers.Select(client => new NumberedTopics(
                                clients[client],
                                [.. topics.Values.Distinct().Order()]
                            )),
                        ],
                    },
                },
            ],
        };
    }
}
