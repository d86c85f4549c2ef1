using MqttCheck.Profiles;

namespace MqttCheck.Checking.LiveProperties;

/// <summary>How a property is measured: how many runs of which length, and how long they take.</summary>
/// <param name="Runs">After how many runs there may be a verdict, and how many traces of each client a run has.</param>
/// <param name="CountedSequences">How many sequences of each client count in a run.</param>
/// <param name="RunTime">How long a run takes.</param>
public sealed record LivePropertyPlan(RequirementPlan Runs, int CountedSequences, TimeSpan RunTime)
{
    // Connecting, and cleaning up.
    private static readonly TimeSpan s_aside = TimeSpan.FromSeconds(.3);

    /// <summary>The shortest time to a verdict: of a broker on which every trace fulfils the property, or none does.</summary>
    public TimeSpan Soonest => RunTime * Math.Min(Runs.FirstMetLook, Runs.FirstViolatedLook);

    /// <summary>The planned time: of a broker whose probability is just the required one.</summary>
    public TimeSpan Planned => RunTime * Runs.Runs;

    /// <summary>The plan that takes the least time.</summary>
    /// <param name="property">The property.</param>
    /// <param name="options">The requirement.</param>
    /// <param name="population">Whose traces.</param>
    /// <param name="clients">How many clients share the broker.</param>
    public static LivePropertyPlan For(LiveProperty property, RequirementOptions options, Population population, int clients)
    {
        ArgumentNullException.ThrowIfNull(property);
        ArgumentNullException.ThrowIfNull(population);
        // The waits of a sequence, as long as answers take little time beside them.
        var sequence = TimeSpan.FromMilliseconds(population.Groups.Max(group => group.Profile.SequenceLength * group.Profile.WaitMilliseconds.Mean));
        var round = sequence * property.SequencesPerTrace;
        // A run begins with half a sequence, and ends about half a one after its mean client.
        var overhead = sequence + s_aside;
        var runs = RequirementPlan.For(options, clients, overhead / (round > TimeSpan.Zero ? round : s_aside));
        return new(runs, runs.Rounds * property.SequencesPerTrace, runs.Rounds * round + overhead);
    }
}
