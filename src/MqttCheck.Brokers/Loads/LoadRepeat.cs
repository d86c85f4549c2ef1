using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Loads;

/// <summary>A further arrival of a message at a receiver that has it already.</summary>
/// <param name="Publisher">The number of the message's publisher, from 0.</param>
/// <param name="Number">Its number among the messages of its publisher, from 0.</param>
/// <param name="Qos">The quality of service of this arrival.</param>
/// <param name="PayloadBytes">The size of the payload in bytes.</param>
/// <param name="ArrivedNanoseconds">When it arrived, in nanoseconds since the first message was due.</param>
/// <param name="IsRedelivery">
/// Whether DUP was set, as after a connection was resumed; otherwise it is a duplicate without a reason.
/// </param>
internal readonly record struct LoadRepeat(
    int Publisher,
    long Number,
    QualityOfService Qos,
    int PayloadBytes,
    long ArrivedNanoseconds,
    bool IsRedelivery
);
