using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// Repeats scenarios to see whether they show a deviation of one key, at the least cost. A run ends as soon as it has
/// shown the deviation. If the deviation is a missing delivery, many runs wait at once.
/// </summary>
internal sealed class Replayer(
    IWire wire,
    ScenarioRunner runner,
    CheckOptions options,
    Predicate<string> isKnown,
    Func<bool> restart
)
{
    // A multiple of the broker's own response time is enough patience, because findings are confirmed with more.
    private const double PaceFactor = 3;
    private const int AbsenceLanes = 48;

    /// <summary>Something that is legal once has to come in each of so many runs.</summary>
    public const int MustRecurRuns = 10;

    /// <summary>How many scenarios that wait run at once.</summary>
    public const int WaitingLanes = 160;

    // Time is reserved for confirmation, because an unconfirmed deviation is no finding.
    private const long ConfirmingNanoseconds = 7_000_000_000;

    // Repeating stops after this time if the deviation has not recurred.
    private const long FruitlessNanoseconds = 20_000_000_000;

    /// <summary>Exploring that goes on meanwhile; null (the default) for none.</summary>
    public ExploringBeside? Beside { get; init; }

    /// <summary>When everything ends, on the wire's clock.</summary>
    public long End { get; set; } = long.MaxValue;

    /// <summary>When shrinking ends, so that time is left for confirming.</summary>
    public long LastShrinking => End - ConfirmingNanoseconds;

    /// <summary>Ends it earlier.</summary>
    public CancellationToken Cancellation { get; set; }

    public bool IsOver => Cancellation.IsCancellationRequested || wire.NowNanoseconds >= End;

    public long NowNanoseconds => wire.NowNanoseconds;

    /// <summary>The waiting times of runs that may be wrong now and then.</summary>
    public CheckTiming Quick
    {
        get
        {
            var pace = runner.Slowest * PaceFactor;
            var known = options.ShrinkTiming.KnownPatience;
            return options.ShrinkTiming with
            {
                Patience = Between(options.ShrinkTiming.Patience, pace, options.Timing.Patience),
                OvertakenPatience = Between(options.ShrinkTiming.OvertakenPatience, pace, options.Timing.Patience),
                KnownPatience = Between(
                    known,
                    pace,
                    options.ShrinkTiming.Patience > known ? options.ShrinkTiming.Patience : known
                ),
            };
        }
    }

    /// <summary>Runs scenarios that may show a deviation.</summary>
    /// <param name="deviation">The deviation.</param>
    /// <param name="scenarios">The scenarios.</param>
    /// <param name="timing">How long to wait.</param>
    /// <param name="until">Begin none after this moment.</param>
    /// <param name="waitsForAll">Whether other deviations are waited for as well, unless they are known.</param>
    /// <param name="orKin">Whether a deviation that may have the same cause will do.</param>
    /// <returns>The results, in the order of the scenarios; null if the broker was lost for good.</returns>
    public IReadOnlyList<ScenarioResult>? RunAll(
        Deviation deviation,
        IReadOnlyList<Scenario> scenarios,
        CheckTiming timing,
        long until,
        bool waitsForAll,
        bool orKin = false
    )
    {
        var key = deviation.Key;
        var rules = new RunRules(timing)
        {
            IsKnown =
                waitsForAll ? other => other != key && isKnown(other)
                : orKin ? other => !Kinship.MayBeKin(deviation, other)
                : other => other != key,
            Suffices = seen => seen.Key == key || (orKin && Kinship.AreKin(deviation, seen)),
        };
        // A scenario that receives messages of others runs without exploration beside it.
        var isStopped = scenarios.Any(scenario => scenario.MeetsOthers) && Beside?.Stop() == true;
        var results = runner.RunAll(scenarios, LanesFor(deviation, scenarios), rules, Math.Min(until, End));
        if (isStopped)
            Beside?.Start();
        return results.Any(result => result.BrokerLost) && !restart() ? null : results;
    }

    /// <summary>Repeats a scenario. A deviation that recurs in five runs out of five is taken for steady.</summary>
    public Repetition Repeat(Deviation deviation, Scenario scenario, int most, CheckTiming timing)
    {
        // Waiting costs time and no processor, so as many runs as it takes go at once.
        var atOnce = deviation.MustRecur && scenario.Waits ? MustRecurRuns : ShareBound.FirstRuns;
        var (hits, replays, reached) = (0, 0, 0);
        ScenarioResult? shown = null;
        var enough = wire.NowNanoseconds + FruitlessNanoseconds;
        while (replays < most && (replays == 0 || (!IsOver && (hits > 0 || wire.NowNanoseconds < enough))))
        {
            if (
                RunAll(deviation, [.. Enumerable.Repeat(scenario, atOnce)], timing, End, waitsForAll: true)
                is not { } results
            )
                break;
            foreach (var result in results)
            {
                replays++;
                if (
                    !Shows(result, deviation.Key)
                    || (
                        deviation.MustRecur
                        && shown is not null
                        && Place(result, deviation.Key) != Place(shown, deviation.Key)
                    )
                )
                    continue;
                hits++;
                shown ??= result;
                reached = Math.Max(reached, result.Reached);
            }
            if (deviation.MustRecur ? hits < replays || hits == MustRecurRuns : replays == hits)
                break;
        }
        return new(hits, replays, reached, shown);
    }

    public static bool Shows(ScenarioResult result, string key) =>
        result.Deviations.Any(deviation => deviation.Key == key);

    /// <summary>
    /// How many requests the client had sent before the deviation. A broker that ends connections at random does so at
    /// varying places.
    /// </summary>
    public static int Place(ScenarioResult result, string key)
    {
        var deviation = result.Deviations.First(d => d.Key == key);
        var client = result.Monitor.Trace[deviation.Entry].Client;
        return result
            .Monitor.Trace.Take(deviation.Entry)
            .Count(entry => entry.Client == client && entry is { Kind: TraceKind.Sent, Packet: not AckPacket });
    }

    /// <summary>
    /// How many replays run at once. A scenario that receives messages of others runs alone, because the messages are
    /// not part of it and nobody else has them.
    /// </summary>
    public int LanesFor(Deviation deviation, IReadOnlyList<Scenario> scenarios) =>
        scenarios.Any(scenario => scenario.MeetsOthers) ? 1
        : scenarios.Any(scenario => scenario.Waits) ? Math.Max(options.Lanes, WaitingLanes)
        : deviation.IsAbsence ? Math.Max(options.Lanes, AbsenceLanes)
        : options.Lanes;

    private static TimeSpan Between(TimeSpan least, TimeSpan wanted, TimeSpan most) =>
        wanted < least ? least
        : wanted > most ? most
        : wanted;
}
