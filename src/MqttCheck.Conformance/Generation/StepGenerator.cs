using System.Collections.Concurrent;
using System.Diagnostics;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clients;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// Which line comes next in a scenario: who does something, which of the inputs that its state allows, and whether
/// before the line before has had its effect.
/// </summary>
internal static class StepGenerator
{
    // The longest that a scenario waits altogether, in milliseconds.
    private const int LongestWaiting = 6000;

    // How many lines of others a client stays away whose absence the scenario is about.
    private const int LinesOfAbsence = 3;

    private static readonly Gen<bool> s_isConcurrent = Draw.Chance(.25);
    private static readonly Gen<bool> s_isNot = Gen.Constant(false);

    private static readonly Gen<(int SplitBytes, bool WithNext)> s_writing = Gen.Frequency(
        (940, Gen.Constant((0, false))),
        (20, Gen.Elements(1, 1, 2, 3, 5, 8).Select(bytes => (bytes, false))),
        (40, Gen.Constant((0, true)))
    );

    // Composed once for every situation in which a client comes to be.
    private static readonly ConcurrentDictionary<Situation, Gen<ClientInput>> s_inputs = new();

    /// <summary>The next line.</summary>
    /// <param name="state">The state of the scenario.</param>
    public static Gen<Step> Next(ScenarioState state)
    {
        var command = NextCommand(state);
        if (!state.Theme.TimePasses)
            return command;
        // Until the interval of the scenario's subject has passed, no other interval is waited for.
        RunningInterval[] intervals =
        [
            .. WorthWaiting(state).Where(interval => interval.Kind == state.Theme.Focus || state.HasLetPass),
        ];
        // A queue needs several messages.
        var (wait, others) = state.Theme.Focus == IntervalKind.QueuedMessage ? (1, 9) : (3, 7);
        return intervals.Length == 0 ? command : Gen.Frequency((wait, Wait(state, intervals)), (others, command));
    }

    /// <summary>A line that lets an interval pass, or begins one that can.</summary>
    /// <param name="state">The state of the scenario.</param>
    public static Gen<Step> LetPass(ScenarioState state)
    {
        RunningInterval[] intervals =
        [
            .. WorthWaiting(state).Where(interval => interval.UntilJudged <= LongestWaiting - state.Waited),
        ];
        return intervals.Length == 0
            ? Gen.Constant(new Step(0, new ConnectCommand(true) { KeepAliveSeconds = 1 }))
            : Wait(state, intervals, passing: 1);
    }

    private static RunningInterval[] WorthWaiting(ScenarioState state) =>
        state.HasJustWaited
            ? []
            :
            [
                .. state.Intervals.Open.Where(interval =>
                    (interval.Within > 0 ? interval.Within : interval.UntilJudged) <= LongestWaiting - state.Waited
                ),
            ];

    // A connection is kept only by several waits that each end in time.
    private static Gen<Step> Wait(ScenarioState state, RunningInterval[] intervals, double? passing = null)
    {
        RunningInterval[] sought = [.. intervals.Where(interval => interval.Kind == state.Theme.Focus)];
        return from interval in Gen.Elements(sought.Length > 0 ? sought : intervals)
            from passes in Draw.Chance(passing ?? (interval.Kind == IntervalKind.KeepAlive ? .3 : .7))
            select new Step(
                Math.Max(0, interval.Client),
                new WaitCommand(Length(interval, passes, LongestWaiting - state.Waited))
            );
    }

    // An interval that is longer than the longest wait is waited for in parts.
    private static int Length(RunningInterval interval, bool passes, int most) =>
        interval.Within > 0 && !passes ? interval.Within : Math.Min(interval.UntilJudged, most);

    private static Gen<Step> NextCommand(ScenarioState state) =>
        Client(state)
            .SelectMany(client =>
                from input in s_inputs.GetOrAdd(Situation.Of(state, client), Input)
                from command in state.Theme.For(client).Commands.Of(input, state.Clients[client], isFirst: client == 0)
                from written in state.Theme.TimePasses ? Gen.Constant(command) : Written(command)
                from concurrent in MayBeConcurrent(state, client, input) ? s_isConcurrent : s_isNot
                select new Step(client, written, concurrent)
            );

    // A connection that ends writes all that is left at once.
    private static Gen<Command> Written(Command command) =>
        command
            is DisconnectCommand
                or DropCommand
                or HoldCommand
                or AnswerCommand
                or PublishCommand { Cut: PublishCut.AfterPubrel }
            ? Gen.Constant(command)
            : s_writing.Select(writing =>
                writing == default
                    ? command
                    : command with
                    {
                        SplitBytes = writing.SplitBytes,
                        WithNext = writing.WithNext && command is not MalformedCommand,
                    }
            );

    private static Gen<int> Client(ScenarioState state)
    {
        // The next packet of the client goes with the last one.
        if (!state.Steps.IsEmpty && state.Steps.Peek() is { Command.WithNext: true, Client: var last })
            return Gen.Constant(last);
        var choices = new List<int>();
        for (var client = 0; client < state.Clients.Length; client++)
        {
            for (var times = Weight(state.Clients[client], state); times > 0; times--)
                choices.Add(client);
        }
        return Gen.Elements<int>(choices);
    }

    private static int Weight(ClientProgress client, ScenarioState state) =>
        client switch
        {
            { State.Connected: false, IsAnonymous: true } => 0,
            // Messages for a session without connection come from other clients. So the client stays away for a while,
            // and until the interval has passed if the scenario is about that.
            { State: { Connected: false, Persists: true } } when state.Waited == 0 => Weight(client.LeftAt, state),
            { State.Connected: false, HasBegun: true } when state.Waited > 0 => 5,
            _ => 2,
        };

    private static int Weight(int leftAt, ScenarioState state) =>
        !state.Theme.IsAboutAbsence || !state.Clients.Any(other => other.State.Connected) ? 1
        : state.Theme.TimePasses || state.Count - leftAt < LinesOfAbsence ? 0
        : 3;

    private static Gen<ClientInput> Input(Situation situation)
    {
        var choices = Enum.GetValues<ClientInput>()
            .Select(input => (Weight(situation, input), Gen.Constant(input)))
            .Where(choice => choice.Item1 > 0)
            .ToList();
        return Gen.Frequency(choices);
    }

    private static int Weight(Situation situation, ClientInput input) =>
        input switch
        {
            // An anonymous client that connects again would be another one.
            ClientInput.Connect => situation.IsAnonymous ? 0
            : situation.IsConnected ? situation.Emphasis.TakeOver
            : 99,
            // A broken CONNECT needs no connection: it comes on one of its own.
            ClientInput.Misbehave => !situation.HasDefects ? 0
            : situation.IsConnected ? 2
            : 1,
            _ when !ClientMachine.Allows(situation.State, input) => 0,
            ClientInput.Subscribe => situation is { TimePasses: true, IsSubscribed: false }
                ? 60
                : situation.Emphasis.Subscribe,
            ClientInput.Publish => situation.Emphasis.Publish,
            ClientInput.Unsubscribe => situation.IsSubscribed ? situation.Emphasis.Unsubscribe : 3,
            ClientInput.Disconnect => situation.LeavesSoon ? Leaving(situation, 25) : situation.Emphasis.Disconnect,
            ClientInput.Drop => situation.LeavesSoon ? Leaving(situation, 40) : situation.Emphasis.Drop,
            ClientInput.Hold => situation.Emphasis.Hold,
            ClientInput.Release => Math.Max(3, situation.Emphasis.Hold / 2),
            ClientInput.Ping => situation.TimePasses ? 5 : situation.Emphasis.Ping,
            _ => throw new UnreachableException(),
        };

    // An interval that begins when a client leaves should begin before all other clients are done.
    private static int Leaving(Situation situation, int weight) => situation.TimePasses ? 3 * weight : weight;

    private static bool MayBeConcurrent(ScenarioState state, int client, ClientInput input) =>
        state.Count > 0
        && !state.HasJustWaited
        && input is not (ClientInput.Hold or ClientInput.Release or ClientInput.Misbehave)
        && (input != ClientInput.Connect || state.Clients[client] is { State.Connected: false, HasMisbehaved: false });
}
