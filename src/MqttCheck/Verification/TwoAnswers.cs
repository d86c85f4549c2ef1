namespace MqttCheck.Verification;

/// <summary>
/// The answer of the runs that count, and the answer of all runs. If the two differ, the choice of runs would decide,
/// so there is no verdict.
/// </summary>
/// <typeparam name="TVerdict">The kind of verdict.</typeparam>
/// <param name="Counted">The answer of the runs that count; withheld where they give none.</param>
/// <param name="All">The answer of all runs; withheld where they give none, or one of them showed nothing.</param>
public readonly record struct TwoAnswers<TVerdict>(TVerdict Counted, TVerdict All)
    where TVerdict : struct, Enum
{
    /// <summary>Both answers in a sentence.</summary>
    /// <param name="word">A verdict in a word or two.</param>
    public string InWords(Func<TVerdict, string> word)
    {
        ArgumentNullException.ThrowIfNull(word);
        return $"The runs that count say: {word(Counted)}; all runs, with what the others showed, say: {word(All)}. "
            + "Which runs count must not decide, so there is no verdict.";
    }
}
