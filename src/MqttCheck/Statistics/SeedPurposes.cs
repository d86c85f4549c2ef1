namespace MqttCheck.Statistics;

/// <summary>Derives the seed of each purpose from the one that the user gives.</summary>
internal static class SeedPurposes
{
    /// <summary>
    /// The seed of a purpose. The single commands derive it as <c>run</c> does, so a run can be repeated stage by
    /// stage.
    /// </summary>
    /// <param name="purpose">The purpose.</param>
    /// <param name="seed">The user's seed.</param>
    public static ulong Seed(this SeedPurpose purpose, ulong seed) =>
        RandomStream.For(seed, (ulong)purpose).NextUInt64();

    /// <summary>A stream of a purpose that needs many, one for each path of indices.</summary>
    /// <param name="purpose">The purpose.</param>
    /// <param name="seed">The user's seed.</param>
    /// <param name="path">The indices, such as run and client.</param>
    public static RandomStream Stream(this SeedPurpose purpose, ulong seed, params ReadOnlySpan<ulong> path) =>
        RandomStream.For(seed, [(ulong)purpose, .. path]);
}
