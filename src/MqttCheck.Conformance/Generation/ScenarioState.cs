using System.Collections.Immutable;
using MqttCheck.Clients;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// The state of a scenario in the making: its clients by the functional model, and the running intervals. It is
/// immutable, so that generators can be composed from it.
/// </summary>
internal sealed record ScenarioState
{
    /// <summary>The theme that the commands share.</summary>
    public required ScenarioTheme Theme { get; init; }

    /// <summary>The clients.</summary>
    public required ImmutableArray<ClientProgress> Clients { get; init; }

    /// <summary>The lines so far, the last on top.</summary>
    public ImmutableStack<Step> Steps { get; init; } = [];

    /// <summary>How many they are.</summary>
    public int Count { get; init; }

    /// <summary>
    /// The intervals of clients and messages that run or have passed without anybody having looked; only where the
    /// theme has time pass.
    /// </summary>
    public RunningIntervals Intervals { get; init; } = RunningIntervals.None;

    /// <summary>How long it has waited, in milliseconds.</summary>
    public int Waited { get; init; }

    /// <summary>Whether an interval has passed, or several waits together were longer than the shortest.</summary>
    public bool HasLetPass { get; init; }

    /// <summary>How many lines there are behind the last wait.</summary>
    public int SinceWait { get; init; }

    /// <summary>Whether the last line was one of waiting.</summary>
    public bool HasJustWaited => Waited > 0 && SinceWait == 0;

    /// <summary>The state before the first line.</summary>
    /// <param name="theme">The theme that the commands share.</param>
    /// <param name="clients">How many clients there are.</param>
    public static ScenarioState Begin(ScenarioTheme theme, int clients) =>
        new() { Theme = theme, Clients = [.. Enumerable.Repeat(new ClientProgress(), clients)] };

    /// <summary>The state after one more line.</summary>
    /// <param name="step">The line.</param>
    public ScenarioState After(Step step)
    {
        var next = this with { Steps = Steps.Push(step), Count = Count + 1, SinceWait = SinceWait + 1 };
        if (step.Command is WaitCommand wait)
            return next.AfterWaiting(wait.Milliseconds);
        return next with
        {
            Clients = Clients.SetItem(
                step.Client,
                After(Clients[step.Client], step.Command, Theme.For(step.Client).Version)
            ),
            Intervals = Theme.TimePasses ? Intervals.After(step, this) : Intervals,
        };
    }

    /// <summary>The scenario of the lines so far.</summary>
    public Scenario ToScenario()
    {
        var steps = new Step[Count];
        var place = Count;
        foreach (var step in Steps)
            steps[--place] = step;
        return new Scenario(Theme.Version, [.. steps]);
    }

    private ClientProgress After(ClientProgress client, Command command, ProtocolVersion version)
    {
        // A broken CONNECT has a connection of its own, and touches no session.
        if (command is MalformedCommand && !client.State.Connected)
            return client with { HasBegun = true, HasMisbehaved = true };
        var state = client.State;
        Span<ulong> subscribed = [client.Subscribed];
        switch (command)
        {
            case ConnectCommand connect:
                ClientMachine.Apply(
                    ref state,
                    subscribed,
                    ClientInput.Connect,
                    clean: connect.Clean,
                    persists: connect.Persists(version)
                );
                client = client with { Connect = connect, HasBegun = true };
                break;
            case SubscribeCommand subscribe:
                foreach (var request in subscribe.Requests)
                    ClientMachine.Apply(
                        ref state,
                        subscribed,
                        ClientInput.Subscribe,
                        Theme.Filters.IndexOf(request.Filter)
                    );
                break;
            case UnsubscribeCommand unsubscribe:
                foreach (var filter in unsubscribe.Filters)
                    ClientMachine.Apply(ref state, subscribed, ClientInput.Unsubscribe, Theme.Filters.IndexOf(filter));
                break;
            case AnswerCommand:
                break;
            default:
                ClientMachine.Apply(ref state, subscribed, command.Input!.Value);
                if (command is PublishCommand { Cut: PublishCut.AfterPubrel })
                    ClientMachine.Apply(ref state, subscribed, ClientInput.Drop);
                break;
        }
        return client with
        {
            State = state,
            Subscribed = subscribed[0],
            HasMisbehaved = command is MalformedCommand,
            LeftAt = client.State.Connected && !state.Connected ? Count + 1 : client.LeftAt,
        };
    }

    // Connections on which nothing was sent end, and sessions whose interval is over.
    private ScenarioState AfterWaiting(int milliseconds)
    {
        var (clients, waited) = (Clients, Waited + milliseconds);
        var intervals = Intervals.AfterWaiting(milliseconds, out var passed);
        foreach (var interval in passed)
        {
            if (interval.Kind == IntervalKind.SessionExpiry)
                clients = clients.SetItem(
                    interval.Client,
                    clients[interval.Client] with
                    {
                        State = default,
                        Subscribed = 0,
                    }
                );
            if (interval.Kind != IntervalKind.KeepAlive)
                continue;
            clients = clients.SetItem(
                interval.Client,
                After(clients[interval.Client], new DropCommand(), Theme.Version)
            );
            intervals = intervals.AfterConnection(interval.Client, this, withWill: true);
        }
        return this with
        {
            Clients = clients,
            Intervals = intervals,
            Waited = waited,
            SinceWait = 0,
            HasLetPass = HasLetPass || passed.Count > 0 || waited >= RunningIntervals.Shortest,
        };
    }
}
