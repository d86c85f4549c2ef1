namespace MqttCheck.Verification.Deciding;

/// <summary>The rounds that a series made, and what they are good for.</summary>
/// <typeparam name="TRun">The type of a run's result.</typeparam>
internal sealed class RunTally<TRun>
    where TRun : class, IMadeRun
{
    private readonly List<IReadOnlyList<(TRun Run, RunUse Use)?>> _rounds = [];

    /// <summary>How many rounds count: whole ones without an invalid run.</summary>
    public int Counted { get; private set; }

    /// <summary>How many whole rounds do not count.</summary>
    public int Invalid { get; private set; }

    /// <summary>How many rounds were begun.</summary>
    public int Rounds => _rounds.Count;

    /// <summary>How long they took.</summary>
    public TimeSpan Spent { get; private set; }

    /// <summary>The longest of them.</summary>
    public TimeSpan Longest { get; private set; }

    /// <summary>The runs that count, in the order in which they were made.</summary>
    public IEnumerable<TRun> CountedRuns => All.Where(made => made.Use.Counts()).Select(made => made.Run);

    /// <summary>The runs that do not count.</summary>
    public IEnumerable<TRun> InvalidRuns => All.Where(made => !made.Use.Counts()).Select(made => made.Run);

    /// <summary>Why a verdict on these runs is withheld.</summary>
    /// <param name="place">Whose runs: the place in each round, 0 where a round is one run.</param>
    /// <returns>A sentence; null where the runs can be used.</returns>
    public string? WhyWithheld(int place = 0) => RunJudgement.WhyInvalid(JudgedOf(place));

    /// <summary>The runs that do not count, with the worst of them.</summary>
    /// <param name="places">Whose runs, as in <see cref="WhyWithheld"/>; none for 0.</param>
    /// <returns>A sentence; null where all count.</returns>
    public string? InvalidInWords(params ReadOnlySpan<int> places)
    {
        var runs = new List<JudgedRun>();
        foreach (var place in places.IsEmpty ? [0] : places)
            runs.AddRange(JudgedOf(place));
        return RunJudgement.NotCounted(runs);
    }

    /// <summary>
    /// Whether the runs cannot be used so far, and more of them may change that. If no run on one of the brokers was
    /// sound, this is no chance, and more runs would only take time.
    /// </summary>
    public bool MayRecover
    {
        get
        {
            var withheld = Places.Where(place => WhyWithheld(place) is not null).ToList();
            return withheld.Count > 0 && withheld.All(place => _rounds.Any(round => round[place]?.Use == RunUse.Sound));
        }
    }

    private JudgedRun[] JudgedOf(int place) =>
        [
            .. _rounds
                .Select(round => round[place])
                .OfType<(TRun Run, RunUse Use)>()
                .Select(made => new JudgedRun(made.Run.Health, made.Run.WarmUp, made.Use)),
        ];

    private IEnumerable<int> Places => Enumerable.Range(0, _rounds.Count == 0 ? 0 : _rounds[0].Count);

    private IEnumerable<(TRun Run, RunUse Use)> All =>
        _rounds.SelectMany(round => round).OfType<(TRun Run, RunUse Use)>();

    /// <summary>Takes a round.</summary>
    /// <returns>Its runs; null where the round is not whole.</returns>
    internal IReadOnlyList<UsedRun<TRun>>? Add(IReadOnlyList<TRun?> round, Func<TRun, RunUse> judge, TimeSpan took)
    {
        (TRun Run, RunUse Use)?[] judged =
        [
            .. round.Select(run => run is null ? ((TRun, RunUse)?)null : (run, judge(run))),
        ];
        _rounds.Add(judged);
        Spent += took;
        Longest = took > Longest ? took : Longest;
        if (judged.Any(made => made is null))
            return null;
        if (judged.All(made => made!.Value.Use.Counts()))
            Counted++;
        else
            Invalid++;
        return [.. judged.Select(made => new UsedRun<TRun>(made!.Value.Run, made.Value.Use.Counts()))];
    }
}
