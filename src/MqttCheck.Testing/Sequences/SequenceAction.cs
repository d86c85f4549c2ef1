namespace MqttCheck.Testing.Sequences;

/// <summary>The action of the clients, with the set-up of the state that they get and must dispose of.</summary>
/// <param name="SetUp">Makes the state of a client.</param>
/// <param name="Sequence">The sequence that is measured.</param>
internal sealed record SequenceAction(
    Func<SequenceClient, CancellationToken, Task<object?>> SetUp,
    Func<SequenceClient, object?, CancellationToken, Task> Sequence
)
{
    /// <summary>An action without state.</summary>
    public static SequenceAction Of(Func<SequenceClient, CancellationToken, Task> sequence) =>
        new((_, _) => Task.FromResult<object?>(null), (client, _, token) => sequence(client, token));

    /// <summary>An action with state.</summary>
    public static SequenceAction Of<TState>(
        Func<SequenceClient, CancellationToken, Task<TState>> setUp,
        Func<SequenceClient, TState, CancellationToken, Task> sequence
    ) =>
        new(
            async (client, token) => await setUp(client, token),
            (client, state, token) => sequence(client, (TState)state!, token)
        );
}
