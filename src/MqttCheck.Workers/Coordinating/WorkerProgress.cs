namespace MqttCheck.Workers.Coordinating;

/// <summary>How far a job is.</summary>
/// <param name="Done">How many replications are computed.</param>
/// <param name="Replications">How many there are; null where nobody knows.</param>
/// <param name="Workers">How many workers compute.</param>
/// <param name="Slots">How many shards they compute at once.</param>
/// <param name="Repeated">How many shards had to be given out again.</param>
internal readonly record struct WorkerProgress(int Done, int? Replications, int Workers, int Slots, int Repeated);
