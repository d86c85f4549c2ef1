namespace MqttCheck.Verification.Deciding;

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
}
