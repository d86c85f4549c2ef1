using MqttCheck.Conformance.Model;

namespace MqttCheck.Conformance.Findings;

/// <summary>A place of a trace where the broker did something else than the standard demands.</summary>
/// <param name="Statement">The statement.</param>
/// <param name="Circumstances">The special conditions, in words that do not vary from run to run: deviations with equal
/// statement and circumstances have one key.</param>
/// <param name="Explanation">The expected and the observed behaviour, with the names of this run.</param>
/// <param name="Entry">The index of the trace entry at which it was noticed.</param>
public sealed record Deviation(Statement Statement, string Circumstances, string Explanation, int Entry)
{
    /// <summary>
    /// Whether a single occurrence is legal, such as a connection that the broker closes: then only an outcome that
    /// comes in every replay is a finding.
    /// </summary>
    public bool MustRecur { get; init; }

    /// <summary>
    /// Whether it is something that did not come: noticed when it was given up, at no observation of its own.
    /// </summary>
    public bool IsAbsence { get; init; }

    /// <summary>
    /// Whether a later message of the same order has come, so that one message is missing and its subscription is not.
    /// </summary>
    public bool IsOvertaken { get; init; }

    /// <summary>
    /// The packet after which the broker ended a connection without a reason; null for any other deviation.
    /// </summary>
    internal SentPacket? Trigger { get; init; }

    /// <summary>Statement and circumstances, to tell deviations apart.</summary>
    public string Key => $"{Statement.Name}|{Circumstances}";
}
