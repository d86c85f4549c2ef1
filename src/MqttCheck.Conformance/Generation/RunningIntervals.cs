using System.Collections.Immutable;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// The intervals that run in a scenario, immutable. An interval that has passed stays until somebody comes to see what
/// has become of it.
/// </summary>
internal sealed class RunningIntervals(ImmutableArray<RunningInterval> intervals)
{
    /// <summary>The shortest silence that a keep alive of one second does not allow, in milliseconds.</summary>
    public const int Shortest = 1500;

    /// <summary>The longest interval that a scenario waits for, in seconds.</summary>
    public const int Longest = 100;

    /// <summary>No interval.</summary>
    public static RunningIntervals None { get; } = new([]);

    /// <summary>Those worth waiting for: what becomes of something is not yet settled.</summary>
    public IEnumerable<RunningInterval> Open => intervals.Where(interval => interval.UntilJudged > 0);

    /// <summary>The intervals after a line of the scenario.</summary>
    /// <param name="step">The line.</param>
    /// <param name="before">The state before it.</param>
    public RunningIntervals After(Step step, ScenarioState before)
    {
        var client = step.Client;
        return step.Command switch
        {
            ConnectCommand connect => (
                before.Clients[client].State.Connected ? AfterConnection(client, before, withWill: true) : this
            ).AfterConnect(client, connect),
            DropCommand or MalformedCommand => AfterConnection(client, before, withWill: true),
            DisconnectCommand disconnect => AfterConnection(
                client,
                before,
                disconnect.WithWill,
                disconnect.SessionExpirySeconds
            ),
            PublishCommand { Cut: PublishCut.AfterPubrel } publish => AfterPublish(client, publish, before)
                .AfterConnection(client, before, withWill: true),
            PublishCommand publish => AfterPacket(client).AfterPublish(client, publish, before),
            HoldCommand { Withhold: true } or AnswerCommand => this,
            _ => AfterPacket(client),
        };
    }

    /// <summary>The intervals after the end of a connection.</summary>
    /// <param name="client">Whose connection.</param>
    /// <param name="before">The state before it.</param>
    /// <param name="withWill">Whether the will is published.</param>
    /// <param name="outlives">How long the session outlives it, in seconds, where the end of the connection says so;
    /// null for what its beginning said.</param>
    public RunningIntervals AfterConnection(int client, ScenarioState before, bool withWill, uint? outlives = null)
    {
        if (before.Clients[client] is not { State.Connected: true, Connect: { } connect })
            return this;
        var next = Without(interval => interval.Kind == IntervalKind.KeepAlive && interval.Client == client);
        if (connect.SessionExpirySeconds is not > 0)
            return next;
        var session = (int)Math.Min(outlives ?? connect.SessionExpirySeconds.Value, int.MaxValue);
        if (session == 0)
            return next;
        if (session <= Longest)
            next = next.With(new RunningInterval(IntervalKind.SessionExpiry, client, "", session));
        var delay = Math.Min((int)(connect.WillDelaySeconds ?? 0), session);
        return withWill && connect.WillTopic is not null && delay is > 0 and <= Longest
            ? next.With(new RunningInterval(IntervalKind.WillDelay, client, "", delay))
            : next;
    }

    /// <summary>The intervals after a wait.</summary>
    /// <param name="milliseconds">How long it is.</param>
    /// <param name="passed">Those that pass in it.</param>
    public RunningIntervals AfterWaiting(int milliseconds, out IReadOnlyList<RunningInterval> passed)
    {
        passed =
        [
            .. intervals.Where(interval => !interval.HasPassed && interval.Elapsed + milliseconds >= interval.Limit),
        ];
        return new([.. intervals.Select(interval => interval with { Elapsed = interval.Elapsed + milliseconds })]);
    }

    // A delayed will is waited for even when its session is resumed: then it must not come.
    private RunningIntervals AfterConnect(int client, ConnectCommand connect)
    {
        var next = Without(interval =>
            interval.Client == client
            && interval.Kind is IntervalKind.SessionExpiry or IntervalKind.QueuedMessage or IntervalKind.KeepAlive
        );
        return connect.KeepAliveSeconds is > 0 and <= Longest and var seconds
            ? next.With(new RunningInterval(IntervalKind.KeepAlive, client, "", seconds))
            : next;
    }

    private RunningIntervals AfterPacket(int client) =>
        new([
            .. intervals.Select(interval =>
                interval.Kind == IntervalKind.KeepAlive && interval.Client == client
                    ? interval with
                    {
                        Elapsed = 0,
                    }
                    : interval
            ),
        ]);

    private RunningIntervals AfterPublish(int publisher, PublishCommand publish, ScenarioState before)
    {
        var next = publish.Retain
            ? Without(interval => interval.Kind == IntervalKind.RetainedMessage && interval.Topic == publish.Topic)
            : this;
        if (publish.ExpirySeconds is not (> 0 and <= Longest and var seconds) || publish.Cut != PublishCut.None)
            return next;
        if (publish is { Retain: true, Empty: false })
            next = next.With(new RunningInterval(IntervalKind.RetainedMessage, -1, publish.Topic, (int)seconds));
        if (publish.Qos == QualityOfService.AtMostOnce)
            return next;
        for (var client = 0; client < before.Clients.Length; client++)
        {
            if (
                client != publisher
                && before.Clients[client].State is { Connected: false, Persists: true }
                && IsSubscribed(before, client, publish.Topic)
            )
                next = next.With(new RunningInterval(IntervalKind.QueuedMessage, client, publish.Topic, (int)seconds));
        }
        return next;
    }

    private static bool IsSubscribed(ScenarioState state, int client, string topic)
    {
        var filters = state.Theme.Filters;
        for (var place = 0; place < filters.Length / 2; place++)
            if ((state.Clients[client].Subscribed & (1UL << place)) != 0 && TopicFilter.Matches(filters[place], topic))
                return true;
        return false;
    }

    private RunningIntervals With(RunningInterval interval) => new(intervals.Add(interval));

    private RunningIntervals Without(Predicate<RunningInterval> isOver) => new(intervals.RemoveAll(isOver));
}
