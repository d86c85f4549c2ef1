using MqttCheck.Brokers.Fleets;
using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.App.Runs;

/// <summary>The warnings about failures in runs, the same for every use case that makes runs.</summary>
internal static class RunWarnings
{
    public static IReadOnlyList<string> Of(IReadOnlyList<FleetRunResult> runs)
    {
        var warnings = new List<string>();
        var failed = runs.Sum(run => run.Failed);
        if (failed > 0)
            warnings.Add(
                Invariant($"{failed} of {runs.Sum(run => run.Exchanges)} exchanges failed; the ")
                    + Invariant($"first: {runs.SelectMany(run => run.FirstFailures).FirstOrDefault()}")
            );
        if (runs.Sum(run => run.Strays) is > 0 and var strays)
            warnings.Add(Invariant($"{strays} messages arrived that nobody had published here."));
        if (runs.Sum(run => run.SessionsLeft) is > 0 and var left)
            warnings.Add(Invariant($"{left} sessions may be left on the broker."));
        warnings.AddRange(RunJudgement.Findings(runs));
        return warnings;
    }

    /// <summary>The warnings about the runs of a log.</summary>
    public static IReadOnlyList<string> Of(RunInformation log) => RunJudgement.Findings(log);
}
