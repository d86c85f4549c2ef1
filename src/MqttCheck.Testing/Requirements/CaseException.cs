namespace MqttCheck.Testing.Requirements;

/// <summary>
/// Cases of a property cannot be counted: one does not end, or its values cannot be generated. The message says which,
/// and what was seen before.
/// </summary>
public sealed class CaseException : Exception
{
    /// <summary>A failure without a message.</summary>
    public CaseException() { }

    /// <summary>A failure.</summary>
    /// <param name="message">What, where, and what to do.</param>
    public CaseException(string message)
        : base(message) { }

    /// <summary>A failure with its cause.</summary>
    /// <param name="message">What, where, and what to do.</param>
    /// <param name="innerException">The cause.</param>
    public CaseException(string message, Exception innerException)
        : base(message, innerException) { }
}
