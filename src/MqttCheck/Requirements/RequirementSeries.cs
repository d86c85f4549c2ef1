using System.Diagnostics;
using MqttCheck.Clients;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Requirements;

/// <summary>Runs that test whether samples are in time as often as required.</summary>
/// <typeparam name="TRun">The type of a run's result.</typeparam>
/// <param name="options">The requirement and the error.</param>
/// <param name="plan">After how many runs there may be a verdict.</param>
/// <param name="make">Makes a run.</param>
/// <param name="count">Counts the samples of a run, at least one.</param>
/// <param name="countInvalid">Counts those of a run that does not count, which may have none.</param>
/// <exception cref="InputException">An option is out of range.</exception>
internal sealed class RequirementSeries<TRun>(
    RequirementOptions options,
    RequirementPlan plan,
    Func<RunTurn, TRun> make,
    Func<TRun, RunCount> count,
    Func<TRun, RunCount> countInvalid
) : IRunSeries<TRun>
    where TRun : class, IMadeRun
{
    private readonly RequirementTest _test = new(options, plan);
    private RequirementResult? _latest;

    /// <summary>None: the test itself says after how many runs there may be a verdict.</summary>
    public int LeastRuns => 0;

    /// <inheritdoc/>
    public int MostInvalidRuns => plan.FirstMetLook;

    /// <inheritdoc/>
    public int ExpectedRuns => plan.Runs;

    /// <inheritdoc/>
    public bool IsDecided => _latest is { IsOver: true };

    /// <inheritdoc/>
    public IReadOnlyList<TRun?> Make(RunTurn turn) => [make(turn)];

    /// <inheritdoc/>
    public void Add(IReadOnlyList<UsedRun<TRun>> round, double shareDone)
    {
        var (run, counts) = round[0];
        _latest = counts ? _test.AddRun(count(run)) : _test.AddInvalidRun(countInvalid(run)) ?? _latest;
    }

    /// <summary>The result of the runs; the verdict is withheld if they cannot be used.</summary>
    /// <param name="tally">The runs of this series, counted.</param>
    /// <returns>Null without a run that counts.</returns>
    public RequirementResult? Conclude(RunTally<TRun> tally)
    {
        if (_latest is not { } latest)
            return null;
        var result = latest with { InvalidRuns = tally.InvalidInWords(), Unusable = latest.WhyHeldBack(Word) };
        return tally.WhyWithheld() is not { } why
            ? result
            : result with
            {
                Verdict = RequirementVerdict.Withheld,
                Unusable = RunJudgement.Withheld(why, $"{Word(latest.Verdict)}."),
            };
    }

    private static string Word(RequirementVerdict verdict) =>
        verdict switch
        {
            RequirementVerdict.Met => "met",
            RequirementVerdict.Violated => "violated",
            RequirementVerdict.Withheld => "withheld",
            _ => throw new UnreachableException(),
        };
}
