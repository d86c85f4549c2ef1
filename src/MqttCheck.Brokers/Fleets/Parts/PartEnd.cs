using MqttCheck.Brokers.Processes;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>The end of a part; a part with neither a result nor a failure has not ended.</summary>
/// <param name="Result">Its result; null if it could not go on.</param>
/// <param name="Failure">Why it could not go on; null if it could.</param>
/// <param name="IsInputFailure">Whether the failure is one of the input, not of the broker.</param>
internal readonly record struct PartEnd<TResult>(TResult? Result, string? Failure, bool IsInputFailure)
    where TResult : class
{
    /// <summary>Whether the part has ended.</summary>
    public bool IsReached => Result is not null || Failure is not null;

    /// <summary>The failure as an exception for the caller of the run; null without one.</summary>
    public Exception? Exception =>
        Failure is null ? null
        : IsInputFailure ? new InputException(Failure)
        : new BrokerException(Failure);
}
