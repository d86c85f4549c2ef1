namespace MqttCheck.App.Progress;

/// <summary>The surroundings of a use case.</summary>
/// <param name="Progress">Is told how it goes on.</param>
/// <param name="Time">The clock.</param>
/// <param name="Orderly">Asks for an end in order: no new work, clean up, an answer with what there is.</param>
/// <param name="AtOnce">Ends it without clean-up on the broker.</param>
internal sealed record Workplace(
    IWorkProgress Progress,
    TimeProvider Time,
    CancellationToken Orderly,
    CancellationToken AtOnce
);
