namespace MqttCheck.Verification.Deciding;

/// <summary>
/// The runs of one setup and the tests that they serve. A <see cref="RunLoop{TRun}"/> goes on with it until it is
/// decided.
/// </summary>
/// <typeparam name="TRun">The type of a run's result.</typeparam>
internal interface IRunSeries<TRun>
    where TRun : class, IMadeRun
{
    /// <summary>So many rounds must count before a decision is looked at.</summary>
    int LeastRuns { get; }

    /// <summary>With so many invalid rounds, and no more that count, the series is given up.</summary>
    int MostInvalidRuns { get; }

    /// <summary>After so many rounds a verdict is expected; for the progress.</summary>
    int ExpectedRuns { get; }

    /// <summary>Whether the tests need no more runs, provided that those made can be used.</summary>
    bool IsDecided { get; }

    /// <summary>Makes a round: one run, or one on each of the brokers that are compared.</summary>
    /// <param name="turn">Which round it is.</param>
    /// <returns>The runs, always in the same order; null stands for one that was not made, or cut short.</returns>
    IReadOnlyList<TRun?> Make(RunTurn turn);

    /// <summary>Takes a whole round into account.</summary>
    /// <param name="round">Its runs, those that do not count too: left out, they would choose the verdict.</param>
    /// <param name="shareDone">The share of the whole work that is done now, 0 .. 1.</param>
    void Add(IReadOnlyList<UsedRun<TRun>> round, double shareDone);
}
