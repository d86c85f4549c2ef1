using MqttCheck.Clients;
using MqttCheck.Health;

namespace MqttCheck.Testing.Sequences;

/// <summary>One run of actions.</summary>
public sealed class SequenceRun : MeasuredRun
{
    private readonly MeasuredSequence[] _counted;

    internal SequenceRun(
        IEnumerable<MeasuredSequence> sequences,
        RunHealth health,
        WarmUp warmUp,
        IReadOnlyList<string>? remarks = null
    )
    {
        Sequences = [.. sequences.OrderBy(sequence => sequence.IssueIndex)];
        _counted = [.. Sequences.Where(sequence => sequence.IsCounted)];
        (Health, WarmUp, Remarks) = (health, warmUp, remarks ?? []);
        Outcomes = [.. _counted.Select(sequence => sequence.Outcome)];
    }

    /// <summary>All sequences in the order in which they began, those that do not count included.</summary>
    public IReadOnlyList<MeasuredSequence> Sequences { get; }

    /// <inheritdoc/>
    public override IReadOnlyList<Outcome> Outcomes { get; }

    /// <inheritdoc/>
    public override RunHealth Health { get; }

    /// <inheritdoc/>
    public override WarmUp WarmUp { get; }

    /// <summary>The failures besides the sequences: states that could not be disposed of.</summary>
    public IReadOnlyList<string> Remarks { get; }

    /// <inheritdoc/>
    public override IReadOnlyList<double> Samples(MeasuredLatency latency, bool perMessage, string? step = null) =>
        perMessage
            ? [.. _counted.SelectMany(sequence => sequence.StepLatencies(step))]
            : [.. _counted.Select(sequence => sequence.LatencyOf(step))];
}
