using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;

namespace MqttCheck.Conformance.Judges;

/// <summary>Collects the judgements of a run: how often each statement was judged, and the deviations.</summary>
internal sealed class Judgements(ObservedRun run)
{
    // A broker that goes wrong at every message would fill the memory with the same words.
    private const int MaximumDeviations = 1000;

    private readonly List<Deviation> _deviations = [];
    private readonly Dictionary<Statement, int> _exercised = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Statement, Dictionary<string, int>> _situations = new(
        ReferenceEqualityComparer.Instance
    );

    public ObservedRun Run => run;

    /// <summary>The deviations, in the order in which they were noticed.</summary>
    public IReadOnlyList<Deviation> Deviations => _deviations;

    /// <summary>How often each statement was judged.</summary>
    public IReadOnlyDictionary<Statement, int> Exercised => _exercised;

    /// <summary>A statement is judged.</summary>
    public void Check(Statement statement) => _exercised[statement] = _exercised.GetValueOrDefault(statement) + 1;

    /// <summary>How often statements were judged in a situation that has a name.</summary>
    public IReadOnlyDictionary<Statement, Dictionary<string, int>> Situations => _situations;

    /// <summary>A statement is judged in a situation that has a name.</summary>
    public void Check(Statement statement, string situation)
    {
        Check(statement);
        Note(statement, situation);
    }

    /// <summary>The situation has a name in which a statement is judged elsewhere.</summary>
    public void Note(Statement statement, string situation)
    {
        var times = _situations.GetOrNew(statement);
        times[situation] = times.GetValueOrDefault(situation) + 1;
    }

    /// <summary>A statement is violated by what was observed last.</summary>
    public void Deviate(Statement statement, string circumstances, string explanation, bool mustRecur = false) =>
        Add(new Deviation(statement, circumstances, explanation, run.Now) { MustRecur = mustRecur || run.IsDoubtful });

    /// <summary>
    /// A statement is violated by the end of a connection. One end is legal, and only one that comes every time is not.
    /// </summary>
    public void DeviateByEnd(
        Statement statement,
        string explanation,
        SentPacket trigger,
        string? circumstances = null
    ) =>
        Add(
            new Deviation(statement, circumstances ?? $"connection closed after {trigger.Words}", explanation, run.Now)
            {
                MustRecur = true,
                Trigger = trigger,
            }
        );

    /// <summary>Something that is owed will not come any more.</summary>
    /// <param name="obligation">The obligation to give up.</param>
    /// <param name="why">How that was decided, the end of a sentence.</param>
    public void GiveUp(Obligation obligation, string why)
    {
        obligation.Waive!();
        Add(
            new Deviation(obligation.Statement, obligation.Circumstances, $"{obligation.Explanation}: {why}", run.Now)
            {
                MustRecur = obligation.MustRecur || run.IsDoubtful,
                IsAbsence = true,
                IsOvertaken = obligation.Overtaken,
            }
        );
    }

    private void Add(Deviation deviation)
    {
        if (_deviations.Count < MaximumDeviations && !run.IsAssumed(deviation))
            _deviations.Add(deviation);
    }
}
