using System.Globalization;
using MqttCheck.Profiles;
using MqttCheck.Requirements;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification.Planning;
using RunTimes = MqttCheck.Verification.Planning.RunTime;

namespace MqttCheck.Properties.Live;

/// <summary>How a property is measured: how many runs of which length, and how long they take.</summary>
/// <param name="Runs">After how many runs there may be a verdict, and how many traces of each client a run has.</param>
/// <param name="CountedSequences">How many sequences of each client count in a run.</param>
/// <param name="RunTime">How long a run takes.</param>
internal sealed record LivePropertyPlan(RequirementPlan Runs, int CountedSequences, TimeSpan RunTime)
{
    // Connecting, and cleaning up.
    private static readonly TimeSpan s_aside = TimeSpan.FromSeconds(.3);

    private static readonly TimeSpan s_leastBudget = TimeSpan.FromSeconds(60);

    /// <summary>The planned time: of a broker whose probability is just the required one.</summary>
    public TimeSpan Planned => RunTime * Runs.Runs;

    /// <summary>
    /// How long the runs may take where nobody says: two more than planned, and a quarter more where bets have no
    /// planned end.
    /// </summary>
    /// <param name="options">The requirement.</param>
    public TimeSpan Budget(RequirementOptions options)
    {
        var budget = RunTime * (options.Guarantee == Guarantee.Any ? Runs.RunsInTime : Runs.Runs + 2);
        return budget > s_leastBudget ? budget : s_leastBudget;
    }

    private int Fewest => Math.Min(Runs.FirstMetLook, Runs.FirstViolatedLook);

    /// <summary>How many runs are made, and how long they take, in one sentence without a full stop.</summary>
    public string Announcement =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"a verdict takes {Fewest} run{(Fewest == 1 ? "" : "s")} at least ({(RunTime * Fewest).TotalSeconds:0} s), "
                + $"{Runs.FirstMetLook} ({(RunTime * Runs.FirstMetLook).TotalSeconds:0} s) if all traces fulfil it, "
                + $"{Runs.Runs} ({Planned.TotalSeconds:0} s) if just the required share does"
        );

    /// <summary>Refuses a budget in which even the best broker would get no verdict.</summary>
    /// <param name="budget">The budget.</param>
    /// <param name="name">The option or method that gives it.</param>
    /// <param name="made">The number of runs that there are already.</param>
    /// <exception cref="InputException">It is too short.</exception>
    public void Require(TimeBudget budget, string name, int made = 0) =>
        budget.Require(
            name,
            RunTime * Math.Max(0, Runs.FirstMetLook - made),
            Planned,
            Announcement,
            "or a larger error or indifference, or a profile with shorter waits"
        );

    /// <summary>The time in which further runs may decide what is open.</summary>
    /// <param name="made">The number of runs that were made.</param>
    /// <param name="spent">How long those took.</param>
    public TimeSpan More(int made, TimeSpan spent)
    {
        var run = made == 0 || spent / made < RunTime ? RunTime : spent / made;
        return TimeBudget.Enough(run * (made < Runs.Runs ? Runs.Runs : RunLooks.LaterLook(made + 1, Runs.Runs)));
    }

    /// <summary>The plan that takes the least time.</summary>
    /// <param name="property">The property.</param>
    /// <param name="options">The requirement.</param>
    /// <param name="population">Whose traces.</param>
    /// <param name="clients">How many clients share the broker.</param>
    /// <param name="countedSequences">
    /// How many sequences of each client count in a run, where that is settled; null to choose it.
    /// </param>
    /// <exception cref="InputException">The sequences of a run are too few for one trace.</exception>
    public static LivePropertyPlan For(
        LiveProperty property,
        RequirementOptions options,
        Population population,
        int clients,
        int? countedSequences = null
    )
    {
        // The waits of a sequence, as long as answers take little time beside them.
        var sequence = TimeSpan.FromSeconds(RunTimes.LeastSequenceSeconds(population));
        var round = sequence * property.SequencesPerTrace;
        // A run begins with half a sequence, and ends about half a one after its mean client.
        var rampUp = TimeSpan.FromSeconds(RunTimes.RampUpSeconds(population, clients));
        var overhead = rampUp + sequence + s_aside;
        if (countedSequences < property.SequencesPerTrace)
        {
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"property '{property.Property}' takes "
                        + $"{Counted.Of(property.SequencesPerTrace, "sequence")} of a client, "
                        + $"and a run has {countedSequences}; allowed: "
                        + $"{Counted.Of(property.SequencesPerTrace, "sequence")} per client or more."
                )
            );
        }
        var runs = RequirementPlan.For(
            options,
            clients,
            overhead / (round > TimeSpan.Zero ? round : s_aside),
            countedSequences / property.SequencesPerTrace
        );
        var counted = countedSequences ?? population.WholeRounds(runs.Rounds * property.SequencesPerTrace);
        var slowest = new RunTimes(population, clients).SlowestSeconds(counted);
        var seconds = Math.Max((counted * sequence + overhead).TotalSeconds, slowest + s_aside.TotalSeconds);
        return new(runs, counted, TimeSpan.FromSeconds(seconds));
    }
}
