namespace MqttCheck.Brokers.Wire.Portable;

/// <summary>The owner of socket operations.</summary>
internal interface ICompletionTarget
{
    /// <summary>An operation has ended; called on the wire's thread.</summary>
    /// <param name="kind">Which one.</param>
    /// <param name="nanoseconds">When.</param>
    void OnCompleted(CompletionKind kind, long nanoseconds);
}
