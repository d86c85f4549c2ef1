using MqttCheck.Predictions;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;

namespace MqttCheck.Auditing.Promises;

/// <summary>How many runs of which length a simulated verification makes.</summary>
/// <param name="Name">A name for tables.</param>
/// <param name="Options">The test, with the smallest number of runs.</param>
/// <param name="MoreRuns">How many runs may follow the smallest number, each with a look.</param>
internal sealed record VerdictPlan(string Name, VerificationOptions Options, int MoreRuns)
{
    // Each client of a setup contributes one sequence to a run, the shortest length of a run.
    private const int SequencesOfShortRuns = 100;

    // A verification may take a quarter longer than it was planned for.
    private const double Grace = 1.25;

    /// <summary>The test, the largest number of runs, and the sequences in each.</summary>
    /// <param name="point">The prediction.</param>
    /// <param name="guarantee">
    /// The guarantee: bets on run means take many short runs, as many as planned and a quarter more.
    /// </param>
    public (VerificationOptions Options, int Budget, int Sequences) For(PredictedPoint point, Guarantee guarantee)
    {
        if (guarantee == Guarantee.Model)
        {
            var most = Options.MinimumRuns + MoreRuns;
            var planned = Options with { PlannedRuns = most };
            return (planned, most, VerificationPlan.SequencesNeeded(point, planned, Options.MinimumRuns));
        }
        var options = Options with { Guarantee = guarantee };
        var runs =
            MoreRuns > 0
                ? Options.MinimumRuns + MoreRuns
                : (int)(
                    Grace
                    * (VerificationPlan.RunsNeeded(point, options, SequencesOfShortRuns) ?? VerificationPlan.MostRuns)
                );
        return (options, runs, SequencesOfShortRuns);
    }
}
