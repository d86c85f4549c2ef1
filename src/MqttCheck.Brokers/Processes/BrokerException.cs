namespace MqttCheck.Brokers.Processes;

/// <summary>
/// A broker could not be started, reached or kept running, or the environment lacks something: exit code 3. The message
/// names the problem and a remedy.
/// </summary>
public sealed class BrokerException : Exception
{
    /// <summary>An exception with a message for people.</summary>
    /// <param name="message">The problem and a remedy.</param>
    public BrokerException(string message)
        : base(message) { }

    /// <summary>An exception with a message for people and its cause.</summary>
    /// <param name="message">The problem and a remedy.</param>
    /// <param name="innerException">The cause.</param>
    public BrokerException(string message, Exception innerException)
        : base(message, innerException) { }

    /// <summary>An exception without a message.</summary>
    public BrokerException() { }

    /// <summary>
    /// Whether there is no broker to try. Its program is not installed on this machine, or no broker was named. The
    /// message names a remedy.
    /// </summary>
    public bool IsMissing { get; init; }
}
