using MqttCheck.Clients;
using MqttCheck.Latency.Nagle;
using MqttCheck.Logs;

namespace MqttCheck.Latency.Features;

/// <summary>
/// Replays the start and end events of a logged run in order of time and so recomputes what was known when each
/// exchange was sent, by the same <see cref="FeatureFold"/> as the live fleet and the simulator.
/// </summary>
/// <remarks>
/// At equal times ends come before starts, and starts in order of issue, as in a client that answers without waiting. A
/// connection that ended between two exchanges leaves no trace in the log: its client counts as online until its next
/// connect.
/// </remarks>
internal static class ExchangeLogReplay
{
    /// <summary>The features of every exchange of one run.</summary>
    /// <param name="run">All exchanges of the run, failed and uncounted ones too, in any order.</param>
    /// <param name="cleanSessions">Which clients start a new session with each connection; null when none does.</param>
    /// <param name="shares">In which share each client subscribes, -1 for none; null when none does.</param>
    /// <returns>One element per element of <paramref name="run"/>, in the same order.</returns>
    public static ExchangeFeatures[] Features(
        ReadOnlySpan<Exchange> run,
        IReadOnlyList<bool>? cleanSessions = null,
        IReadOnlyList<int>? shares = null
    ) => FeaturesAndHolds(run, cleanSessions, shares).Features;

    /// <summary>
    /// The features of every exchange of one run, and how long receivers went on withholding acknowledgements.
    /// </summary>
    /// <param name="run">As for <see cref="Features"/>.</param>
    /// <param name="cleanSessions">As for <see cref="Features"/>.</param>
    /// <param name="shares">As for <see cref="Features"/>.</param>
    /// <param name="sessions">The sessions that stood when the run began; null where none did.</param>
    /// <returns>One element per element of <paramref name="run"/> each, in the same order.</returns>
    internal static (ExchangeFeatures[] Features, NagleHold[] Holds) FeaturesAndHolds(
        ReadOnlySpan<Exchange> run,
        IReadOnlyList<bool>? cleanSessions,
        IReadOnlyList<int>? shares = null,
        ObservedSessions? sessions = null
    )
    {
        var features = new ExchangeFeatures[run.Length];
        var holds = new NagleHold[run.Length];
        if (run.IsEmpty)
            return (features, holds);

        var (clients, topics) = Largest(run, sessions);
        var (starts, ends) = InTime(run);

        var fold = new FeatureFold(
            clients + 1,
            topics + 1,
            withheld: true,
            shares,
            sessions?.Filters.ToDictionary(one => one.Number, one => one.Topics)
        );
        if (sessions is not null)
            Begin(fold, sessions);
        var cleanConnects = sessions?.CleanConnects.ToHashSet() ?? [];
        var started = new bool[run.Length];
        var withholding = new List<(int Exchange, DelayedAckReceiver Receiver)>();
        List<double>[] sent = [.. Enumerable.Range(0, clients + 1).Select(_ => new List<double>())];
        var nextEnd = 0;
        foreach (var start in starts)
        {
            var now = run[start].SentMicroseconds;
            // An exchange of zero length has its end sorted before its own start.
            while (nextEnd < ends.Length && run[ends[nextEnd]].EndMicroseconds <= now && started[ends[nextEnd]])
            {
                var ended = ends[nextEnd++];
                End(fold, run[ended], features[ended].Subscribers);
            }
            features[start] = fold.Start(run[start].Client, Action(run[start], IsClean(run[start])), now / 1000);
            started[start] = true;
            foreach (var receiver in fold.Withholding)
                withholding.Add((start, receiver));
            sent[run[start].Client].Add(now / 1000);
        }
        foreach (var (exchange, receiver) in withholding)
        {
            var now = run[exchange].SentMicroseconds / 1000;
            var hold = Hold(receiver, now, sent[receiver.Client]);
            if (!holds[exchange].Any || hold.Milliseconds > holds[exchange].Milliseconds)
                holds[exchange] = hold;
        }
        return (features, holds);

        bool IsClean(in Exchange exchange) =>
            cleanSessions?[exchange.Client] == true
            || (exchange.Message == MessageKind.Connect && cleanConnects.Contains((int)exchange.IssueIndex));
    }

    private static (int Client, int Topic) Largest(ReadOnlySpan<Exchange> run, ObservedSessions? sessions)
    {
        var (clients, topics) = (0, 0);
        foreach (ref readonly var exchange in run)
            (clients, topics) = (Math.Max(clients, exchange.Client), Math.Max(topics, exchange.Topic));
        if (sessions is null)
            return (clients, topics);
        return (
            sessions.Online.Concat(sessions.Subscriptions.Select(one => one.Number)).Append(clients).Max(),
            sessions.Subscriptions.Concat(sessions.Filters).SelectMany(one => one.Topics).Append(topics).Max()
        );
    }

    private static void Begin(FeatureFold fold, ObservedSessions sessions)
    {
        foreach (var client in sessions.Online)
            fold.Join(client);
        foreach (var subscription in sessions.Subscriptions)
        {
            foreach (var topic in subscription.Topics)
                fold.JoinTopic(subscription.Number, topic);
        }
    }

    // The exchanges in the order of their starts, and in that of their ends.
    private static (int[] Starts, int[] Ends) InTime(ReadOnlySpan<Exchange> run)
    {
        var (starts, ends) = (new int[run.Length], new int[run.Length]);
        var (startKeys, endKeys) = (new (double, long)[run.Length], new (double, long)[run.Length]);
        for (var i = 0; i < run.Length; i++)
        {
            ref readonly var exchange = ref run[i];
            starts[i] = ends[i] = i;
            startKeys[i] = (exchange.SentMicroseconds, exchange.IssueIndex);
            endKeys[i] = (exchange.EndMicroseconds, exchange.IssueIndex);
        }
        Array.Sort(startKeys, starts);
        Array.Sort(endKeys, ends);
        return (starts, ends);
    }

    // Until the receiver sends again, or its system's timer may have run out.
    private static NagleHold Hold(DelayedAckReceiver receiver, double nowMilliseconds, List<double> sent)
    {
        var timer = receiver.ReceivedMilliseconds + DelayedAcks.LeastMilliseconds;
        var next = sent.BinarySearch(nowMilliseconds);
        if (next < 0)
            next = ~next;
        // Packets with the same time are skipped, because they may have been sent earlier.
        while (next < sent.Count && sent[next] <= nowMilliseconds)
            next++;
        return next < sent.Count && sent[next] < timer
            ? new(sent[next] - nowMilliseconds, ByTimer: false)
            : new(Math.Max(0, timer - nowMilliseconds), ByTimer: true);
    }

    /// <summary>The action that led to a logged exchange.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <param name="cleanSession">Whether its client starts a new session with each connection.</param>
    internal static ClientAction Action(in Exchange exchange, bool cleanSession = false) =>
        new(
            exchange.Message,
            exchange.Topic,
            exchange.MessageSize,
            exchange.Phase,
            Clean: cleanSession || exchange.Phase == ExchangePhase.Reset
        )
        {
            Qos = exchange.Qos,
        };

    private static void End(FeatureFold fold, in Exchange exchange, int subscribers)
    {
        fold.End(
            exchange.Client,
            Action(exchange),
            subscribers,
            exchange.Outcome == ExchangeOutcome.Success,
            exchange.EndMicroseconds / 1000
        );
        if (exchange.Outcome is ExchangeOutcome.ConnectionLost or ExchangeOutcome.Violation)
            fold.ConnectionLost(exchange.Client);
    }
}
