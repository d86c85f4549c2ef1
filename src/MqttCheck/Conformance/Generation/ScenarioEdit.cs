using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// A change that makes a scenario simpler: it removes commands, replaces one, or changes all in the same way.
/// </summary>
public sealed class ScenarioEdit
{
    private static readonly Func<Step, Step> s_same = step => step;

    private readonly HashSet<int> _removed;

    private ScenarioEdit(HashSet<int> removed, int at, Step? replaced, Func<Step, Step> change) =>
        (_removed, At, Replaced, Change) = (removed, at, replaced, change);

    /// <summary>The place of the command that is replaced; -1 if none is.</summary>
    public int At { get; }

    /// <summary>What stands there instead.</summary>
    public Step? Replaced { get; }

    /// <summary>What happens to every command.</summary>
    public Func<Step, Step> Change { get; }

    /// <summary>Whether the command at a place is removed.</summary>
    /// <param name="place">The place, from 0.</param>
    public bool Removes(int place) => _removed.Contains(place);

    /// <summary>Removes commands.</summary>
    /// <param name="places">Their places.</param>
    public static ScenarioEdit Removal(params ReadOnlySpan<int> places) => new([.. places], -1, null, s_same);

    /// <summary>Removes commands, and changes all others.</summary>
    /// <param name="places">The places of those to remove.</param>
    /// <param name="change">What happens to the others.</param>
    public static ScenarioEdit RemovalAndChange(ReadOnlySpan<int> places, Func<Step, Step> change) =>
        new([.. places], -1, null, change);

    /// <summary>Replaces one command, and removes others.</summary>
    /// <param name="place">Its place.</param>
    /// <param name="step">What stands there instead.</param>
    /// <param name="removed">The places of the others.</param>
    public static ScenarioEdit Merger(int place, Step step, params ReadOnlySpan<int> removed) =>
        new([.. removed], place, step, s_same);

    /// <summary>Replaces one command.</summary>
    /// <param name="place">Its place.</param>
    /// <param name="step">What stands there instead.</param>
    public static ScenarioEdit Replacement(int place, Step step) => new([], place, step, s_same);

    /// <summary>Changes every command.</summary>
    /// <param name="change">How.</param>
    public static ScenarioEdit Everywhere(Func<Step, Step> change) => new([], -1, null, change);
}
