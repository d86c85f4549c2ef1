using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Causes;

/// <summary>
/// Deviations that one cause may show, each in another scenario. A message that is missing is missing under one
/// statement where filters overlap, and under another one where its client was away.
/// </summary>
internal static class Kinship
{
    // Each family begins with the statement that a plain scenario violates: one filter, one packet, no absence.
    private static readonly Statement[][] s_families =
    [
        [
            Statements.Delivered,
            Statements.OfflineQueue,
            Statements.SharedDelivered,
            Statements.Overlap,
            Statements.AllIdentifiers,
        ],
        [Statements.RetainKept, Statements.RetainSent, Statements.RetainSentAgain],
        [Statements.Qos0Once, Statements.ExactlyOnce, Statements.OneCopy],
    ];

    /// <summary>Whether a deviation may be seen under other circumstances or another statement.</summary>
    /// <param name="deviation">The deviation.</param>
    public static bool MayHaveKin(Deviation deviation) =>
        deviation.Trigger is not null || !AssumptionTable.IsOneOfMany(deviation.Statement);

    /// <summary>Whether another deviation may have the cause of one, and is as plain.</summary>
    /// <param name="one">A deviation.</param>
    /// <param name="other">Another one, of another scenario.</param>
    public static bool AreKin(Deviation one, Deviation other) =>
        one.Trigger is not null || other.Trigger is not null
            ? one.Trigger is not null && other.Trigger is not null
            : one.IsAbsence == other.IsAbsence && MayStandFor(one.Statement, other.Statement);

    /// <summary>Whether a deviation with a key may be such a one.</summary>
    /// <param name="one">A deviation.</param>
    /// <param name="key">The key of the other one.</param>
    public static bool MayBeKin(Deviation one, string key)
    {
        var name = key.AsSpan(0, key.IndexOf('|', StringComparison.Ordinal));
        foreach (var statement in Statements.All)
            if (name.SequenceEqual(statement.Name))
                return MayStandFor(one.Statement, statement);
        return false;
    }

    /// <summary>
    /// Whether two findings show the same packet to end a connection: their smallest scenarios are about one thing, or
    /// both packets have the same unusual topic.
    /// </summary>
    /// <param name="earlier">A finding.</param>
    /// <param name="later">Another deviation.</param>
    /// <param name="scenario">The smallest scenario of that.</param>
    public static bool HaveOneTrigger(Finding earlier, Deviation later, Scenario scenario) =>
        earlier.Deviation.Trigger is { } one
        && later.Trigger is { } other
        && (
            (one.Marks.Length > 0 && one.Marks == other.Marks)
            || ScenarioPattern.HaveOneCause(earlier.Scenario, scenario, later.Statement)
        );

    private static bool MayStandFor(Statement one, Statement plainer) =>
        one == plainer
        || Array.Exists(
            s_families,
            family => Array.IndexOf(family, plainer) is >= 0 and var place && place < Array.IndexOf(family, one)
        );
}
