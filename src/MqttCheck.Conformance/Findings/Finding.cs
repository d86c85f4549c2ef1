using System.Globalization;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Findings;

/// <summary>
/// A deviation that was repeated, with the smallest scenario that shows it; or the loss of the broker for good, which
/// cannot be repeated.
/// </summary>
public sealed record Finding
{
    /// <summary>The statement that is violated.</summary>
    public required Statement Statement { get; init; }

    /// <summary>The special conditions of the violation; they form the key together with the statement.</summary>
    public required string Circumstances { get; init; }

    /// <summary>The smallest scenario.</summary>
    public required Scenario Scenario { get; init; }

    /// <summary>The deviation in the run whose trace is shown.</summary>
    public required Deviation Deviation { get; init; }

    /// <summary>The names of that run.</summary>
    public required ScenarioNames Names { get; init; }

    /// <summary>The trace of that run.</summary>
    public required IReadOnlyList<TraceEntry> Trace { get; init; }

    /// <summary>
    /// How often the smallest scenario was repeated; 0 where the broker was lost and could not be started again, so
    /// that the scenario is the one that was seen.
    /// </summary>
    public required int Replays { get; init; }

    /// <summary>In how many of these repetitions it showed the deviation.</summary>
    public required int Hits { get; init; }

    /// <summary>How many commands the scenario had that found it.</summary>
    public required int FoundWith { get; init; }

    /// <summary>How long shrinking took, without confirming.</summary>
    public TimeSpan Shrinking { get; init; }

    /// <summary>Further circumstances whose smallest scenario violates the same statement in the same way.</summary>
    public ValueList<string> AlsoAs { get; init; }

    /// <summary>
    /// The key of the finding whose fault explains this one too: it comes first in the same smallest scenario, or this
    /// one vanishes when the broker is taken to do what that one shows. Null for none.
    /// </summary>
    public string? ExplainedBy { get; init; }

    /// <summary>
    /// The scenarios of other runs beside which it comes, each run again and again; none where it comes by itself.
    /// </summary>
    public ValueList<Scenario> Beside { get; init; }

    /// <summary>The load under which it comes; null where it comes without.</summary>
    public string? Load { get; init; }

    /// <summary>Statement and circumstances.</summary>
    public string Key => $"{Statement.Name}|{Circumstances}";

    /// <summary>The statement's number in the version of the scenario.</summary>
    public string Id => Statement.Id(Scenario.Version);

    /// <summary>
    /// The share of repetitions that show it at least, with 95 % confidence: the one-sided bound of Clopper and
    /// Pearson, for repeating that ends early where each of the first five shows it.
    /// </summary>
    public double LeastShare => ShareBound.Lower(Hits, Replays);

    /// <summary>
    /// How often to repeat the scenario to see it with a probability of 95 % at least, if it comes as seldom as its
    /// repetitions allow; 5 at least and 1000 at most.
    /// </summary>
    public int Repetitions =>
        Hits == 0 || Hits >= Replays
            ? 5
            : (int)Math.Clamp(Math.Ceiling(Math.Log(.05) / Math.Log(1 - LeastShare)), 5, 1000);

    /// <summary>
    /// Whether it was repeated at all. A finding without a repetition says less: the broker may have been stopped by
    /// somebody else.
    /// </summary>
    public bool IsRepeated => Replays > 0;

    /// <summary>How it was repeated, in words.</summary>
    public string Repeated => DescribeRepetitions(Hits, Replays);

    /// <summary>How something was repeated, in words.</summary>
    /// <param name="hits">In how many repetitions it came.</param>
    /// <param name="replays">How many there were.</param>
    public static string DescribeRepetitions(int hits, int replays) =>
        replays == 0
            ? "never: seen once, and then the broker was lost and could not be started again"
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{hits} of {replays} times{(hits < replays ? " (flaky)" : "")}"
            );
}
