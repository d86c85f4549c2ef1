namespace MqttCheck.Clients;

/// <summary>
/// The largest latencies of one sequence, in milliseconds: 0 where the sequence had no such exchange, NaN where the
/// source does not know it.
/// </summary>
/// <param name="WorstMilliseconds">Over all exchanges: the time from sending to the last awaited answer.</param>
/// <param name="WorstPublishMilliseconds">
/// Over the publications: the later of acknowledgement and last delivery.
/// </param>
/// <param name="WorstAcknowledgementMilliseconds">Over the publications: the acknowledgement.</param>
public readonly record struct SequenceLatencies(
    double WorstMilliseconds,
    double WorstPublishMilliseconds,
    double WorstAcknowledgementMilliseconds
);
