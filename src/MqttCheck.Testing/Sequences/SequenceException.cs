namespace MqttCheck.Testing.Sequences;

/// <summary>
/// Actions cannot be measured: a client could not be set up, or an action does not end. The message says which, and
/// what to do.
/// </summary>
public sealed class SequenceException : Exception
{
    /// <summary>A failure without a message.</summary>
    public SequenceException() { }

    /// <summary>A failure.</summary>
    /// <param name="message">What, where, and what to do.</param>
    public SequenceException(string message)
        : base(message) { }

    /// <summary>A failure with its cause.</summary>
    /// <param name="message">What, where, and what to do.</param>
    /// <param name="innerException">The cause.</param>
    public SequenceException(string message, Exception innerException)
        : base(message, innerException) { }
}
