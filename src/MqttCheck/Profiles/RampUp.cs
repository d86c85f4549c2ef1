namespace MqttCheck.Profiles;

/// <summary>
/// When the clients of a run connect for the first time, where a profile says so. Sequences that begin before all of
/// them should have connected do not count.
/// </summary>
/// <param name="StartMilliseconds">
/// When each client connects, in the time of the run; NaN where it waits first, as its profile says. Empty where no
/// profile has a ramp-up.
/// </param>
/// <param name="EndMilliseconds">When the ramp-up is over; 0 without one.</param>
internal sealed record RampUp(double[] StartMilliseconds, double EndMilliseconds)
{
    private static readonly RampUp s_none = new([], 0);

    /// <summary>The ramp-up of a population.</summary>
    /// <param name="population">Who the clients are.</param>
    /// <param name="clients">How many there are, at least 1.</param>
    public static RampUp Of(Population population, int clients)
    {
        if (!IsAnywhere(population))
            return s_none;
        var groups = population.Assign(clients).ToArray();
        var steps = population
            .Groups.Select((group, index) => Step(group.Profile, groups.Count(other => other == index)))
            .ToArray();
        var starts = new double[clients];
        var begun = new int[steps.Length];
        for (var client = 0; client < clients; client++)
            starts[client] = begun[groups[client]]++ * steps[groups[client]];
        return new(starts, begun.Zip(steps, (number, step) => double.IsNaN(step) ? 0 : number * step).Max());
    }

    // By index: a simulation of few clients allocates next to nothing.
    private static bool IsAnywhere(Population population)
    {
        for (var group = 0; group < population.Groups.Count; group++)
            if (population.Groups[group].Profile.HasRampUp)
                return true;
        return false;
    }

    // The time between two clients of a group, in milliseconds.
    private static double Step(UsageProfile profile, int clients) =>
        profile.ConnectsPerSecond is { } rate ? 1000 / rate
        : profile.RampUpSeconds > 0 ? profile.RampUpSeconds * 1000 / Math.Max(1, clients)
        : double.NaN;
}
