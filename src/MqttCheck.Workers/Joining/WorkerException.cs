namespace MqttCheck.Workers.Joining;

/// <summary>Workers cannot be reached, or cannot be used: the environment failed, not the input.</summary>
internal sealed class WorkerException : IOException
{
    /// <summary>An error without a message.</summary>
    public WorkerException() { }

    /// <summary>An error.</summary>
    /// <param name="message">The problem, the value given, the allowed values, and the next step.</param>
    public WorkerException(string message)
        : base(message) { }

    /// <summary>An error with its cause.</summary>
    /// <param name="message">The problem, the value given, the allowed values, and the next step.</param>
    /// <param name="innerException">The cause.</param>
    public WorkerException(string message, Exception innerException)
        : base(message, innerException) { }
}
