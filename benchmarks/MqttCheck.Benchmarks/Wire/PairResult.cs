namespace MqttCheck.Benchmarks.Wire;

/// <summary>What a load of pairs measured.</summary>
/// <param name="MessagesPerSecond">Messages published and delivered per second.</param>
/// <param name="GeneratorMicroseconds">Processor time of this process for each.</param>
/// <param name="BrokerMicroseconds">Processor time of the broker for each.</param>
/// <param name="Lost">Messages acknowledged but not delivered.</param>
internal readonly record struct PairResult(double MessagesPerSecond, double GeneratorMicroseconds, double BrokerMicroseconds, long Lost);
