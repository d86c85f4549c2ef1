namespace MqttCheck.Verification.Deciding;

/// <summary>A run of a whole round, and whether it counts.</summary>
/// <typeparam name="TRun">The type of a run's result.</typeparam>
/// <param name="Run">The run.</param>
/// <param name="Counts">Whether it counts. One that does not is no reason to forget it: tests take it too.</param>
internal readonly record struct UsedRun<TRun>(TRun Run, bool Counts)
    where TRun : class, IMadeRun;
