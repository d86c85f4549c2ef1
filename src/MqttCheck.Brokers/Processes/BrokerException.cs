namespace MqttCheck.Brokers.Processes;

/// <summary>
/// A broker could not be started, reached or kept running, or the environment lacks something: exit code 3. The message
/// says what and what helps.
/// </summary>
public sealed class BrokerException : Exception
{
    /// <summary>An exception with a message for people.</summary>
    /// <param name="message">What failed and what helps.</param>
    public BrokerException(string message)
        : base(message) { }

    /// <summary>An exception with a message for people and its cause.</summary>
    /// <param name="message">What failed and what helps.</param>
    /// <param name="innerException">The cause.</param>
    public BrokerException(string message, Exception innerException)
        : base(message, innerException) { }

    /// <summary>An exception without a message.</summary>
    public BrokerException() { }

    /// <summary>
    /// Whether the reason is that a program is not installed on this machine; the message says how to install it.
    /// </summary>
    public bool IsNotInstalled { get; init; }
}
