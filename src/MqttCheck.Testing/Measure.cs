using MqttCheck.Testing.Sequences;

namespace MqttCheck.Testing;

/// <summary>
/// Begins measurements of a user's own code: <c>Requirement.Latency(...).Decide(await Measure.Sequences(async (client,
/// token) =&gt; ...))</c>.
/// </summary>
public static class Measure
{
    /// <summary>
    /// Describes what to measure: an action that each client runs again and again. The runs are made by the requirement
    /// that it is handed to, as many as that needs.
    /// </summary>
    /// <param name="sequence">
    /// The action; a call is a sequence. Its latency is that of its slowest
    /// <see cref="SequenceClient.Step(string, Func{Task})"/>, or its own duration without steps. One that throws, or
    /// takes longer than the time-out, is a miss for every threshold. It must hand its token on to what it awaits.
    /// </param>
    /// <param name="clients">How many clients run it at the same time, 1 .. 10 000.</param>
    /// <param name="options">How they are run.</param>
    /// <param name="cancellation">
    /// Ends the measurement; by default the token of the <see cref="TestHost"/> that decides on it.
    /// </param>
    /// <returns>The measurement.</returns>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public static Task<SequenceMeasurement> Sequences(
        Func<SequenceClient, CancellationToken, Task> sequence,
        int clients = 10,
        SequenceOptions? options = null,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(sequence);
        return Begin(SequenceAction.Of(sequence), clients, options, cancellation);
    }

    /// <summary>
    /// Describes what to measure: an action of clients that are set up once in each run, for example connected.
    /// </summary>
    /// <param name="setUp">
    /// Makes the state of a client, before its first sequence of a run; must succeed. A state that is
    /// <see cref="IAsyncDisposable"/> or <see cref="IDisposable"/> is disposed of at the end of the run.
    /// </param>
    /// <param name="sequence">The action; a call is a sequence.</param>
    /// <param name="clients">How many clients run it at the same time, 1 .. 10 000.</param>
    /// <param name="options">How they are run.</param>
    /// <param name="cancellation">
    /// Ends the measurement; by default the token of the <see cref="TestHost"/> that decides on it.
    /// </param>
    /// <typeparam name="TState">
    /// The type of the state that a client keeps from one of its sequences to the next.
    /// </typeparam>
    /// <returns>The measurement.</returns>
    /// <exception cref="InputException">A value is out of its range.</exception>
    public static Task<SequenceMeasurement> Sequences<TState>(
        Func<SequenceClient, CancellationToken, Task<TState>> setUp,
        Func<SequenceClient, TState, CancellationToken, Task> sequence,
        int clients = 10,
        SequenceOptions? options = null,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(setUp);
        ArgumentNullException.ThrowIfNull(sequence);
        return Begin(SequenceAction.Of(setUp, sequence), clients, options, cancellation);
    }

    private static Task<SequenceMeasurement> Begin(
        SequenceAction action,
        int clients,
        SequenceOptions? options,
        CancellationToken cancellation
    ) => Task.FromResult(new SequenceMeasurement(action, clients, options ?? new(), cancellation));
}
