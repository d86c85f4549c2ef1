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

    /// <summary>Writes it as a part of a report.</summary>
    public void Write(BinaryWriter writer, Action<BinaryWriter, TResult> writeResult)
    {
        writer.WriteOptional(Failure);
        writer.Write(IsInputFailure);
        writer.Write(Result is not null);
        if (Result is not null)
            writeResult(writer, Result);
    }

    /// <summary>Reads the bytes that <see cref="Write"/> wrote.</summary>
    public static PartEnd<TResult> Read(BinaryReader reader, Func<BinaryReader, TResult> readResult)
    {
        var failure = reader.ReadOptional();
        var isInputFailure = reader.ReadBoolean();
        return new(reader.ReadBoolean() ? readResult(reader) : null, failure, isInputFailure);
    }
}
