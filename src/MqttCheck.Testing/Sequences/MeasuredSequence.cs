using System.Diagnostics;
using MqttCheck.Clients;

namespace MqttCheck.Testing.Sequences;

/// <summary>One sequence: what one call of the action yielded.</summary>
public sealed record MeasuredSequence
{
    /// <summary>The number of the run, from 0; -1 for the rehearsal.</summary>
    public required int Run { get; init; }

    /// <summary>The number of the client.</summary>
    public required int Client { get; init; }

    /// <summary>The number of the client's sequence in its run.</summary>
    public required int Sequence { get; init; }

    /// <summary>The order in which sequences began, over all clients of the run.</summary>
    public required long IssueIndex { get; init; }

    /// <summary>Whether it counts; those that only warm up or keep up the load do not.</summary>
    public required bool IsCounted { get; init; }

    /// <summary>How long the action took, in milliseconds.</summary>
    public required double DurationMilliseconds { get; init; }

    /// <summary>When it ended, in seconds from the moment when all clients were set up.</summary>
    internal double EndSeconds { get; init; }

    /// <summary>How long the process let the action wait before it began, in milliseconds.</summary>
    public required double LagMilliseconds { get; init; }

    /// <summary>The steps that the action timed, in the order in which they ended.</summary>
    public required IReadOnlyList<MeasuredStep> Steps { get; init; }

    /// <summary>How it ended.</summary>
    public required SequenceEnd End { get; init; }

    /// <summary>The exception that the action threw, if it did.</summary>
    public Exception? Exception { get; init; }

    /// <summary>
    /// The latency: that of the slowest step, or the duration of an action without steps; positive infinity where it
    /// failed.
    /// </summary>
    public double LatencyMilliseconds => LatencyOf(null);

    /// <summary>The latency that a test consumes.</summary>
    public Outcome Outcome =>
        new(
            Run,
            Client,
            Sequence,
            IssueIndex,
            new(End == SequenceEnd.Succeeded ? LatencyMilliseconds : 0, double.NaN, double.NaN),
            End switch
            {
                SequenceEnd.Succeeded => OutcomeStatus.Completed,
                SequenceEnd.Cancelled => OutcomeStatus.Unfinished,
                SequenceEnd.Threw or SequenceEnd.TimedOut => OutcomeStatus.Failed,
                _ => throw new UnreachableException(),
            }
        );

    /// <summary>
    /// The latency of the slowest step of a name; 0 where the sequence has none. Without a name
    /// <see cref="LatencyMilliseconds"/>.
    /// </summary>
    /// <param name="step">The name, or null.</param>
    public double LatencyOf(string? step) =>
        End != SequenceEnd.Succeeded ? double.PositiveInfinity
        : step is not null
            ? Steps
                .Where(measured => measured.Name == step)
                .Select(measured => measured.Milliseconds)
                .DefaultIfEmpty(0)
                .Max()
        : Steps.Count == 0 ? DurationMilliseconds
        : Steps.Max(measured => measured.Milliseconds);

    /// <summary>The latencies of the single steps. A failure outside of them is one more sample.</summary>
    /// <param name="step">The name of the steps that count, or null for all.</param>
    internal IEnumerable<double> StepLatencies(string? step)
    {
        var steps = Steps
            .Where(measured => step is null || measured.Name == step)
            .Select(measured => measured.Milliseconds);
        if (End == SequenceEnd.Succeeded)
            return Steps.Count == 0 && step is null ? [DurationMilliseconds] : steps;
        return Steps.Any(measured =>
            double.IsInfinity(measured.Milliseconds) && (step is null || measured.Name == step)
        )
            ? steps
            : steps.Append(double.PositiveInfinity);
    }
}
