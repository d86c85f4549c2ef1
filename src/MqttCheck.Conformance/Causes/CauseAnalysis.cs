using MqttCheck.Broker.Routing;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Judges;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;

namespace MqttCheck.Conformance.Causes;

/// <summary>
/// Which findings follow from one fault. The observations of a finding are judged again by a model that is told what
/// another finding shows the broker to do: what vanishes then is explained by that.
/// </summary>
/// <remarks>
/// Nothing is run again: the trace of a finding is enough. A finding that is explained need not be a consequence, but
/// no second fault is needed to explain it.
/// </remarks>
internal static class CauseAnalysis
{
    /// <summary>Whether a finding vanishes when the broker is taken to do what another one shows.</summary>
    /// <param name="cause">The finding whose fault the broker is assumed to have.</param>
    /// <param name="effect">The finding that may vanish.</param>
    public static bool Explains(Finding cause, Finding effect)
    {
        var deviation = effect.Deviation;
        var assumption = Assumption.Of(cause);
        if (
            assumption.Covers(deviation)
            || EndsBefore(cause, effect)
            || TakesSharesForOthers(cause, effect)
            || Oddities.AreShared(cause.Scenario, effect.Scenario)
        )
            return true;
        var monitor = new ConformanceMonitor(
            effect.Scenario.Version,
            effect.Names,
            effect.Scenario.Clients,
            assumption
        );
        for (var at = 0; at <= deviation.Entry && at < effect.Trace.Count; at++)
            monitor.Observe(effect.Trace[at]);
        // Whatever is wrong at that place in another way is not explained either.
        return deviation.IsAbsence
            ? monitor.Outstanding().All(owed => owed.Key != deviation.Key)
            : monitor.Deviations.All(other => other.Entry != deviation.Entry);
    }

    /// <summary>
    /// Lists findings under those that explain them, each under the statement that its smallest scenario shows to be
    /// violated. If a finding explains an earlier one, and is not explained
    /// itself, the plainer one of them is the cause.
    /// </summary>
    /// <param name="findings">
    /// The findings, in the order in which they were found. One whose <see cref="Finding.ExplainedBy"/> is set stays
    /// under that cause.
    /// </param>
    /// <returns>
    /// The same findings: first the causes, then all others with <see cref="Finding.ExplainedBy"/> set to the key of
    /// their cause.
    /// </returns>
    public static IReadOnlyList<Finding> Group(IReadOnlyList<Finding> findings)
    {
        Finding[] refined = [.. findings.Select(Attribution.Refine)];
        var keys = findings
            .Zip(refined)
            .DistinctBy(pair => pair.First.Key)
            .ToDictionary(p => p.First.Key, p => p.Second.Key);
        // Each group is a cause with the findings that are listed under it.
        var groups = new List<(Finding Cause, List<Finding> Others)>();
        foreach (var candidate in refined)
        {
            var finding = candidate.ExplainedBy is { } named
                ? candidate with
                {
                    ExplainedBy = keys.GetValueOrDefault(named, named),
                }
                : candidate;
            var known = groups.FindIndex(group => IsUnder(finding, group.Cause, group.Others));
            if (known >= 0 && !MayLead(finding, groups[known].Cause))
            {
                groups[known].Others.Add(finding);
                continue;
            }
            var one = groups.FindAll(group => Explains(finding, group.Cause));
            var first = one.Count > 0 ? groups.IndexOf(one[0]) : groups.Count;
            groups.RemoveAll(one.Contains);
            // One fault is behind them all. A plainer scenario names it even if it does not explain the others.
            var cause = one.Select(group => group.Cause).Aggregate(finding, (a, b) => IsPlainer(b, a) ? b : a);
            var all = one.SelectMany(group => group.Others.Prepend(group.Cause)).Append(finding);
            groups.Insert(first, (cause, [.. all.Where(other => other != cause)]));
        }
        return
        [
            .. groups.Select(group => group.Cause with { ExplainedBy = null }),
            .. groups.SelectMany(group => group.Others.Select(other => other with { ExplainedBy = group.Cause.Key })),
        ];
    }

    // Something that is legal once may follow from a connection that the broker ends: the will of its client, or an
    // end that is not told.
    private static bool EndsBefore(Finding cause, Finding effect) =>
        cause.Deviation.Trigger is not null
        && effect.Deviation is { MustRecur: true, Trigger: null }
        && new ScenarioPattern(cause.Scenario, withQos: false).Matches(
            effect.Scenario with
            {
                Version = cause.Scenario.Version,
            }
        );

    // A broker that sends one message to two members takes shared subscriptions for ordinary ones. Whatever needs one
    // of them follows.
    private static bool TakesSharesForOthers(Finding cause, Finding effect) =>
        cause.Statement == Statements.SharedOnce
        && effect.Scenario.Steps.Any(step => ScenarioShrinker.Names(step.Command).Any(SharedFilter.IsShared));

    private static bool MayLead(Finding finding, Finding cause) =>
        finding.ExplainedBy is null && IsPlainer(finding, cause) && Explains(finding, cause);

    // A violated SHOULD is named as the cause of a violated MUST only where nothing else can be.
    private static bool IsPlainer(Finding one, Finding other) =>
        one.Statement.Class == other.Statement.Class
            ? one.Scenario.Steps.Count < other.Scenario.Steps.Count
            : one.Statement.Class == StatementClass.Must;

    // The deviation that came first in a trace is the cause of later ones. A finding that explains it is an exception:
    // a consequence may be seen before its cause.
    private static bool IsUnder(Finding finding, Finding cause, List<Finding> others)
    {
        return Explains(cause, finding)
            || (
                finding.ExplainedBy is { } key
                && (key == cause.Key || others.Exists(other => other.Key == key))
                && !Explains(finding, cause)
            );
    }
}
