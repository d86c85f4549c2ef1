using System.Diagnostics;

namespace MqttCheck.Verification.Deciding;

/// <summary>
/// The conclusion of a piece of work, for a script, a pipeline or a test that must act on it; the gravest is last.
/// </summary>
public enum Conclusion
{
    /// <summary>All confirmed or not worse, or the work is done.</summary>
    Success,

    /// <summary>Something was not decided, or must not be concluded from the runs.</summary>
    Withheld,

    /// <summary>The broker or the environment failed.</summary>
    Failed,

    /// <summary>A prediction was refuted, a difference found, a requirement violated.</summary>
    Refuted,

    /// <summary>The user ended it before its time.</summary>
    Interrupted,
}

/// <summary>The exit codes of all commands; scripts rely on them.</summary>
internal static class ExitCode
{
    /// <summary>All confirmed or not worse, or the work is done.</summary>
    public const int Success = 0;

    /// <summary>A prediction was refuted, a difference found, a promise broken.</summary>
    public const int Refuted = 1;

    /// <summary>Wrong usage or input.</summary>
    public const int WrongInput = 2;

    /// <summary>The broker or the environment failed.</summary>
    public const int BrokerFailed = 3;

    /// <summary>A verdict was withheld, or a run was invalid.</summary>
    public const int Withheld = 4;

    /// <summary>Interrupted by the user or the system.</summary>
    public const int Interrupted = 130;

    /// <summary>The exit code of what was concluded.</summary>
    public static int Of(Conclusion conclusion) =>
        conclusion switch
        {
            Conclusion.Success => Success,
            Conclusion.Withheld => Withheld,
            Conclusion.Failed => BrokerFailed,
            Conclusion.Refuted => Refuted,
            Conclusion.Interrupted => Interrupted,
            _ => throw new UnreachableException(),
        };
}

/// <summary>Which conclusion follows from what was found.</summary>
internal static class Conclusions
{
    /// <summary>The conclusion from verdicts on predictions: refuted before withheld before confirmed.</summary>
    /// <param name="verdicts">The verdicts; none is no success.</param>
    /// <param name="isContradicted">
    /// Whether measuring again contradicts a verdict. Then nothing may be concluded, whatever the verdicts are.
    /// </param>
    /// <param name="isInterrupted">Whether the user ended the verification before its time.</param>
    public static Conclusion Of(IReadOnlyList<VerdictKind> verdicts, bool isContradicted, bool isInterrupted)
    {
        return isInterrupted ? Conclusion.Interrupted
            : isContradicted ? Conclusion.Withheld
            : verdicts.Any(verdict => verdict is VerdictKind.Worse or VerdictKind.Better) ? Conclusion.Refuted
            : verdicts.Count == 0 || verdicts.Any(verdict => !verdict.IsPassed()) ? Conclusion.Withheld
            : Conclusion.Success;
    }

    /// <summary>The conclusion from a requirement.</summary>
    /// <param name="isMet">Whether it is met; null without a verdict.</param>
    /// <param name="isInterrupted">Whether the user ended the test before its time.</param>
    public static Conclusion Of(bool? isMet, bool isInterrupted = false) =>
        isInterrupted ? Conclusion.Interrupted
        : isMet is not { } met ? Conclusion.Withheld
        : met ? Conclusion.Success
        : Conclusion.Refuted;

    /// <summary>The conclusion from runs that are made to learn from: what cannot be used is no success.</summary>
    /// <param name="runs">The runs.</param>
    /// <param name="isInterrupted">Whether the user ended the work before its time.</param>
    public static Conclusion Of(IEnumerable<IMadeRun> runs, bool isInterrupted) =>
        isInterrupted ? Conclusion.Interrupted
        : RunJudgement.AreInvalid(runs) ? Conclusion.Withheld
        : Conclusion.Success;

    /// <summary>The conclusion from several: the gravest of them.</summary>
    /// <param name="conclusions">The conclusions; none is a success.</param>
    public static Conclusion Gravest(params IEnumerable<Conclusion> conclusions) => conclusions.DefaultIfEmpty().Max();

    /// <summary>
    /// The conclusion from several loads of messages. Whether a promise is broken cannot be said of an invalid load, so
    /// that goes before it.
    /// </summary>
    /// <param name="loads">The conclusion from each.</param>
    public static Conclusion OfLoads(IReadOnlyCollection<Conclusion> loads) =>
        loads.Contains(Conclusion.Interrupted) ? Conclusion.Interrupted
        : loads.Contains(Conclusion.Failed) ? Conclusion.Failed
        : loads.Contains(Conclusion.Withheld) ? Conclusion.Withheld
        : Gravest(loads);

    /// <summary>The conclusion from learning, predicting and verifying in one go.</summary>
    /// <param name="verdicts">The conclusion from the verdicts.</param>
    /// <param name="isModelInvalid">
    /// Whether the runs that the model was learned from cannot be used. Then a verdict says nothing of the broker, only
    /// of a model that nothing must be concluded from.
    /// </param>
    /// <param name="lacksBaseline">Whether a baseline was to be stored and could not be.</param>
    public static Conclusion OfAllStages(Conclusion verdicts, bool isModelInvalid, bool lacksBaseline) =>
        verdicts == Conclusion.Interrupted ? Conclusion.Interrupted
        : isModelInvalid || (lacksBaseline && verdicts == Conclusion.Success) ? Conclusion.Withheld
        : verdicts;

    /// <summary>The answer of a conclusion to what was asked; null where it gives none.</summary>
    public static bool? IsMet(this Conclusion conclusion) =>
        conclusion switch
        {
            Conclusion.Success => true,
            Conclusion.Refuted => false,
            Conclusion.Withheld or Conclusion.Failed or Conclusion.Interrupted => null,
            _ => throw new UnreachableException(),
        };
}
