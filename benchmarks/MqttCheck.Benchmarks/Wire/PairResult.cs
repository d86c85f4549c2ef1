namespace MqttCheck.Benchmarks.Wire;

/// <summary>What a load of pairs measured.</summary>
/// <param name="InPerSecond">Messages published and acknowledged per second.</param>
/// <param name="OutPerSecond">Messages delivered per second.</param>
/// <param name="GeneratorMicroseconds">Processor time of this process for each delivered.</param>
/// <param name="BrokerMicroseconds">Processor time of the broker for each delivered.</param>
/// <param name="Lost">
/// Of all published before the load stopped, those that had not been delivered when nothing moved any more.
/// </param>
/// <param name="Repeated">Deliveries of a message that, or a later one, was delivered before.</param>
internal readonly record struct PairResult(
    double InPerSecond,
    double OutPerSecond,
    double GeneratorMicroseconds,
    double BrokerMicroseconds,
    long Lost,
    long Repeated
);
