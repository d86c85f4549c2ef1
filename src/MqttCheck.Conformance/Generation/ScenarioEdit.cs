using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// A change that makes a scenario simpler: it removes commands, replaces one, or changes all in the same way.
/// </summary>
internal sealed class ScenarioEdit(ReadOnlySpan<int> removed)
{
    private readonly HashSet<int> _removed = [.. removed];

    /// <summary>The place of the command that is replaced; -1 if none is.</summary>
    public int At { get; private init; } = -1;

    /// <summary>The new command at that place.</summary>
    public Step? Replaced { get; private init; }

    /// <summary>The change that is made to every command.</summary>
    public Func<Step, Step> Change { get; private init; } = step => step;

    /// <summary>Whether the command at a place is removed.</summary>
    /// <param name="place">The place, from 0.</param>
    public bool Removes(int place) => _removed.Contains(place);

    /// <summary>Removes commands.</summary>
    /// <param name="places">Their places.</param>
    public static ScenarioEdit Removal(params ReadOnlySpan<int> places) => new(places);

    /// <summary>Replaces one command, and removes others.</summary>
    /// <param name="place">Its place.</param>
    /// <param name="step">The new command at that place.</param>
    /// <param name="removed">The places of the others.</param>
    public static ScenarioEdit Replacement(int place, Step step, params ReadOnlySpan<int> removed) =>
        new(removed) { At = place, Replaced = step };

    /// <summary>Changes every command, and removes some.</summary>
    /// <param name="change">How.</param>
    /// <param name="removed">The places of those to remove.</param>
    public static ScenarioEdit Everywhere(Func<Step, Step> change, params ReadOnlySpan<int> removed) =>
        new(removed) { Change = change };
}
