using System.Diagnostics;
using MqttCheck.Statistics;

namespace MqttCheck.Testing.Sequences;

/// <summary>
/// The context of an action: its client, its sequence, a random stream of its own, and a clock for its steps.
/// </summary>
public sealed class SequenceClient
{
    private readonly Lock _lock = new();
    private readonly List<MeasuredStep> _steps = [];
    private RandomStream _random;
    private int _pending;

    internal SequenceClient(ulong seed, int run, int number, int sequence)
    {
        (Run, Number, Sequence) = (run, number, sequence);
        // The rehearsal has number -1, a set-up too.
        _random = SeedPurpose.Action.Stream(seed, (ulong)(run + 1), (ulong)number, (ulong)(sequence + 1));
    }

    /// <summary>The number of the client, from 0.</summary>
    public int Number { get; }

    /// <summary>The number of the run, from 0; -1 in the rehearsal before the first run.</summary>
    public int Run { get; }

    /// <summary>The number of this client's sequence in the run, from 0; -1 while it is set up.</summary>
    public int Sequence { get; }

    /// <summary>
    /// A name that no other client of this measurement has, in any run: for client identifiers and topics.
    /// </summary>
    public string Name => FormattableString.Invariant($"{(Run < 0 ? "rehearsal" : $"r{Run}")}c{Number}");

    /// <summary>The random numbers of this sequence: the same for the same seed, run, client and sequence.</summary>
    public ref RandomStream Random => ref _random;

    /// <summary>
    /// Times a step. The latency of a sequence is that of its slowest step; without any step it is the whole action.
    /// </summary>
    /// <param name="name">The name of the step, for <c>OfStep(name)</c> and messages.</param>
    /// <param name="step">The step that is timed, from its call to its completed task.</param>
    /// <typeparam name="TResult">The type of the step's result.</typeparam>
    /// <returns>
    /// The result of the step. If the step throws, it counts as failed and the exception is passed on.
    /// </returns>
    public async Task<TResult> Step<TResult>(string name, Func<Task<TResult>> step)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(step);
        var (began, milliseconds) = (Stopwatch.GetTimestamp(), double.PositiveInfinity);
        Interlocked.Increment(ref _pending);
        try
        {
            var result = await step();
            milliseconds = Stopwatch.GetElapsedTime(began).TotalMilliseconds;
            return result;
        }
        finally
        {
            Interlocked.Decrement(ref _pending);
            lock (_lock)
                _steps.Add(new(name, milliseconds));
        }
    }

    /// <summary>Times a step without a result.</summary>
    /// <param name="name">The name of the step, for <c>OfStep(name)</c> and messages.</param>
    /// <param name="step">The step that is timed, from its call to its completed task.</param>
    public Task Step(string name, Func<Task> step)
    {
        ArgumentNullException.ThrowIfNull(step);
        return Step(
            name,
            async () =>
            {
                await step();
                return true;
            }
        );
    }

    /// <summary>
    /// The steps so far; one that still runs belongs to nobody's latency, so the action must await it.
    /// </summary>
    internal (IReadOnlyList<MeasuredStep> Steps, int Pending) Taken()
    {
        lock (_lock)
            return ([.. _steps], Volatile.Read(ref _pending));
    }
}
