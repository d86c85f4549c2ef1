namespace MqttCheck.Brokers.Fleets.Captures;

/// <summary>A publication at QoS 1 on the wire.</summary>
/// <param name="Client">The number of the client that published it, as its payload says.</param>
/// <param name="Number">The number of the message among all of the run.</param>
/// <param name="SentNanoseconds">When the segment with its first byte passed, on the wall clock.</param>
/// <param name="AcknowledgedNanoseconds">When the segment with the last byte of its PUBACK passed.</param>
internal readonly record struct CapturedPublish(
    int Client,
    uint Number,
    long SentNanoseconds,
    long AcknowledgedNanoseconds
);
