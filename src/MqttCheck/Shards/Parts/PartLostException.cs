namespace MqttCheck.Shards.Parts;

/// <summary>The worker that makes a part of a live run does not answer any more.</summary>
/// <param name="message">Which worker, and what it did.</param>
/// <param name="innerException">The cause, if there is one.</param>
internal sealed class PartLostException(string message, Exception? innerException = null)
    : IOException(message, innerException);
