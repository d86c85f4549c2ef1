using System.Globalization;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Checking;

/// <summary>Runs scenarios on a broker.</summary>
/// <remarks>It drives its wire itself, on the calling thread; several scenarios may run beside each other, each under
/// its own names.</remarks>
/// <param name="wire">The wire, run by nobody else.</param>
/// <param name="target">The broker.</param>
/// <param name="prefix">The beginning of all names of this runner, a few letters and digits.</param>
internal sealed class ScenarioRunner(IWire wire, CheckTarget target, string prefix)
{
    // A broker that refuses now and then is not one that does not speak a version.
    private const int Probes = 5;

    /// <summary>
    /// A prefix that no other run has. It is short, and of letters and digits only, because client identifiers and
    /// topics begin with it.
    /// </summary>
    public static string NewPrefix() => $"m{Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture)[..5]}x";

    /// <summary>
    /// Why a broker does not speak a version: no probe gets a CONNACK that accepts it. Exploration reports any other
    /// errors of the answer.
    /// </summary>
    /// <returns>The reason; null where it speaks the version, or the probes were cancelled.</returns>
    public static string? Refusal(
        IWire wire,
        CheckTarget target,
        ProtocolVersion version,
        CancellationToken cancellation
    )
    {
        string? refusal = null;
        var timing = new CheckTiming { Patience = TimeSpan.FromSeconds(2) };
        for (var probe = 0; probe < Probes && !cancellation.IsCancellationRequested; probe++)
        {
            var result = new ScenarioRunner(wire, target, NewPrefix()).Run(
                ScenarioText.Parse("A connect clean", version, "probe"),
                timing
            );
            if (
                result.Monitor.Trace.Any(entry =>
                    entry is { Kind: TraceKind.Received, Packet: ConnackPacket { ReasonCode: ReasonCode.Success } }
                )
            )
                return null;
            refusal ??= result.Deviations.Count > 0 ? result.Deviations[0].Explanation : "no CONNACK accepts it";
        }
        return refusal;
    }

    // A broker that was slow once counts as slow for some fifty scenarios.
    private const double Forgetting = .98;

    // A load runs this long before a deviation that needs it is sought.
    private const int SettlingMilliseconds = 1500;

    private readonly Traffic _traffic = new();
    private long _runs;
    private long _mayStart;

    /// <summary>The broker; changed when it was started again elsewhere.</summary>
    public CheckTarget Target { get; set; } = target;

    /// <summary>How many commands per second are sent at most, on average over scenarios; null for no limit.</summary>
    internal int? MaximumCommandsPerSecond { get; init; }

    /// <summary>The longest time that the broker took recently for any packet.</summary>
    internal TimeSpan Slowest { get; private set; }

    /// <summary>Starts the load or the scenarios beside which the next scenarios run.</summary>
    /// <param name="background">The load or the scenarios; null for none.</param>
    /// <param name="options">How to check.</param>
    internal void StartBeside(IBackgroundLoad? background, CheckOptions options)
    {
        background?.Start();
        // The effect of a load on a broker shows after a while.
        if (background is not (null or ScenarioCompany))
            Run(
                new Scenario(options.Generator.Versions[0], [new Step(0, new WaitCommand(SettlingMilliseconds))]),
                options.Timing
            );
    }

    /// <summary>Runs one scenario.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="timing">How long to wait.</param>
    public ScenarioResult Run(Scenario scenario, CheckTiming timing)
    {
        ScenarioResult? result = null;
        Run(() => result is null ? scenario : null, 1, new RunRules(timing), r => result = r);
        return result!;
    }

    /// <summary>Runs a list of scenarios, several beside each other.</summary>
    /// <param name="scenarios">The scenarios.</param>
    /// <param name="lanes">How many run at once.</param>
    /// <param name="rules">How long each waits, and what ends it.</param>
    /// <param name="until">Begin none after this moment, on the wire's clock.</param>
    /// <returns>The results, in the order of the scenarios; of those that were begun in time, at least one.</returns>
    internal IReadOnlyList<ScenarioResult> RunAll(
        IReadOnlyList<Scenario> scenarios,
        int lanes,
        RunRules rules,
        long until = long.MaxValue
    )
    {
        // A scenario may be in the list several times. The names of the runs follow the order of starting, which tells
        // the results apart.
        var results = new List<(long Number, ScenarioResult Result)>();
        var next = 0;
        Run(
            () => next < scenarios.Count && (next == 0 || wire.NowNanoseconds < until) ? scenarios[next++] : null,
            lanes,
            rules,
            result =>
                results.Add(
                    (
                        long.Parse(
                            result.Names.Token.AsSpan(prefix.Length),
                            System.Globalization.NumberStyles.HexNumber,
                            System.Globalization.CultureInfo.InvariantCulture
                        ),
                        result
                    )
                )
        );
        return [.. results.OrderBy(entry => entry.Number).Select(entry => entry.Result)];
    }

    /// <summary>Runs scenarios beside each other until none is left.</summary>
    /// <param name="next">The next scenario; null when there is none. Asked again after each end of a run.</param>
    /// <param name="lanes">How many run at once.</param>
    /// <param name="rules">How long each waits, and what ends it.</param>
    /// <param name="finished">Gets each result.</param>
    internal void Run(Func<Scenario?> next, int lanes, RunRules rules, Action<ScenarioResult> finished)
    {
        var running = 0;
        for (var lane = 0; lane < lanes; lane++)
            if (!StartNext())
                break;
        if (running > 0)
            wire.Run();

        bool StartNext()
        {
            if (next() is not { } scenario)
                return false;
            running++;
            Begin(scenario, rules, Ended);
            return true;
        }

        void Ended(ScenarioResult result)
        {
            running--;
            finished(result);
            StartNext();
            if (running == 0)
                wire.Stop();
        }
    }

    /// <summary>Begins a run that goes on as long as the wire is driven.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="rules">How long it waits, and what ends it.</param>
    /// <param name="ended">Gets the result.</param>
    internal ScenarioRun Begin(Scenario scenario, RunRules rules, Action<ScenarioResult> ended)
    {
        var names = new ScenarioNames($"{prefix}{_runs++:x}") { Family = prefix, TopicPrefix = Target.TopicPrefix };
        var run = new ScenarioRun(
            wire,
            Target,
            scenario,
            names,
            rules,
            _traffic,
            result =>
            {
                Slowest = TimeSpan.FromTicks(Math.Max(result.Slowest.Ticks, (long)(Slowest.Ticks * Forgetting)));
                ended(result);
            }
        );
        wire.Post(() => StartInTurn(run));
        return run;
    }

    // A scenario begins when the rate limit allows for the commands of the scenarios before it.
    private void StartInTurn(ScenarioRun run)
    {
        var now = wire.NowNanoseconds;
        if (MaximumCommandsPerSecond is null || _mayStart <= now)
            run.Start();
        else
            wire.Schedule(new DelayedStart(run), _mayStart, 0);
        if (MaximumCommandsPerSecond is { } limit)
            _mayStart = Math.Max(now, _mayStart) + (run.Scenario.Steps.Count * 1_000_000_000L / limit);
    }

    private sealed class DelayedStart(ScenarioRun run) : ITimerHandler
    {
        public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) => run.Start();
    }
}
