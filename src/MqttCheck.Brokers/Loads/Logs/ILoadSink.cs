using MqttCheck.Brokers.Loads.Messages;

namespace MqttCheck.Brokers.Loads.Logs;

/// <summary>Takes the messages of a load, each once, when its outcome is known. Called on the run's thread.</summary>
internal interface ILoadSink
{
    /// <summary>Takes a message.</summary>
    /// <param name="message">The message.</param>
    void Append(in LoadMessage message);

    /// <summary>Takes a further arrival of a message, which may come before or after the message itself.</summary>
    /// <param name="repeat">The arrival.</param>
    void AppendRepeat(in LoadRepeat repeat);
}
