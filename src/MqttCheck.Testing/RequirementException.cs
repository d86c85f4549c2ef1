namespace MqttCheck.Testing;

/// <summary>
/// A requirement is violated, or its verdict is withheld. The message is that of the <see cref="Decision"/>.
/// </summary>
public sealed class RequirementException : Exception
{
    /// <summary>A failure without a message.</summary>
    public RequirementException() { }

    /// <summary>A failure.</summary>
    /// <param name="message">The requirement and the observation.</param>
    public RequirementException(string message)
        : base(message) { }

    /// <summary>A failure with its cause.</summary>
    /// <param name="message">The requirement and the observation.</param>
    /// <param name="innerException">The cause.</param>
    public RequirementException(string message, Exception innerException)
        : base(message, innerException) { }

    /// <summary>A requirement that is not met.</summary>
    /// <param name="decision">The decision.</param>
    public RequirementException(Decision decision)
        : base(decision?.Message) => Decision = decision;

    /// <summary>The decision; null where the exception was made of a message.</summary>
    public Decision? Decision { get; }
}
