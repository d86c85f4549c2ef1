namespace MqttCheck.Brokers.Wire;

/// <summary>A socket could not do what was asked; the message says what, where and what helps.</summary>
public sealed class WireException : Exception
{
    /// <summary>An exception with a message for people.</summary>
    /// <param name="message">What failed, where, and what helps.</param>
    public WireException(string message)
        : base(message) { }

    /// <summary>An exception with a message for people and its cause.</summary>
    /// <param name="message">What failed, where, and what helps.</param>
    /// <param name="innerException">The cause.</param>
    public WireException(string message, Exception innerException)
        : base(message, innerException) { }

    /// <summary>An exception without a message.</summary>
    public WireException() { }
}
