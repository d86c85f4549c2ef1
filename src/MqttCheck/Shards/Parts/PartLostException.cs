namespace MqttCheck.Shards.Parts;

/// <summary>The worker that makes a part of a live run does not answer any more.</summary>
public sealed class PartLostException : IOException
{
    /// <summary>An error without a message.</summary>
    public PartLostException() { }

    /// <summary>An error.</summary>
    /// <param name="message">Which worker, and what it did.</param>
    public PartLostException(string message)
        : base(message) { }

    /// <summary>An error with its cause.</summary>
    /// <param name="message">Which worker, and what it did.</param>
    /// <param name="innerException">The cause.</param>
    public PartLostException(string message, Exception innerException)
        : base(message, innerException) { }
}
