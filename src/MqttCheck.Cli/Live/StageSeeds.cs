using MqttCheck.Statistics;

namespace MqttCheck.Cli.Live;

/// <summary>
/// The seed of each stage, derived from the one that the user gives: the clients of an exploration, of a simulation and of a verification must not make the same choices.
/// The single commands derive them as <c>run</c> does, so that a run can be repeated stage by stage.
/// </summary>
internal static class StageSeeds
{
    /// <summary>The seed of the training design and of the clients that explore.</summary>
    public static ulong Explore(ulong seed) => RandomStream.For(seed, 1).NextUInt64();

    /// <summary>The seed of the simulation.</summary>
    public static ulong Predict(ulong seed) => RandomStream.For(seed, 2).NextUInt64();

    /// <summary>The seed of the clients that verify.</summary>
    public static ulong Verify(ulong seed) => RandomStream.For(seed, 3).NextUInt64();

    /// <summary>The seed of the clients that measure again after a verification.</summary>
    public static ulong MonteCarlo(ulong seed) => RandomStream.For(seed, 6).NextUInt64();

    /// <summary>The seed of the embedded broker's delays.</summary>
    public static ulong Broker(ulong seed) => RandomStream.For(seed, 4).NextUInt64();
}
