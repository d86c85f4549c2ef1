using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;

namespace MqttCheck.Conformance.Roles.Watching;

/// <summary>Collects the judgements on a client: its trace, what it owes, and where it deviated.</summary>
/// <param name="patience">How long it may take to do what it owes.</param>
internal sealed class ClientJudgements(TimeSpan patience)
{
    private const int MostDeviations = 200;

    private readonly long _patienceNanoseconds = (long)patience.TotalNanoseconds;
    private readonly List<TraceEntry> _trace = [];
    private readonly List<Deviation> _deviations = [];
    private readonly List<OwedAct> _owed = [];
    private readonly Dictionary<Statement, int> _exercised = new(ReferenceEqualityComparer.Instance);

    public IReadOnlyList<TraceEntry> Trace => _trace;

    public IReadOnlyList<Deviation> Deviations => _deviations;

    /// <summary>How often each statement was judged.</summary>
    public IReadOnlyDictionary<Statement, int> Exercised => _exercised;

    public bool Owes => _owed.Count > 0;

    /// <summary>Whether nothing is judged: nobody says what a client does behind a packet that breaks a rule.</summary>
    public bool IsSilent { get; set; }

    public void Add(TraceEntry entry) => _trace.Add(entry);

    /// <summary>A statement is judged.</summary>
    public void Check(Statement statement)
    {
        if (!IsSilent)
            _exercised[statement] = _exercised.GetValueOrDefault(statement) + 1;
    }

    /// <summary>A statement is judged, and violated unless the condition holds.</summary>
    public void Demand(bool holds, Statement statement, string circumstances, string explanation)
    {
        Check(statement);
        if (!holds)
            Deviate(statement, circumstances, explanation);
    }

    /// <summary>A statement is violated by what was observed last.</summary>
    public void Deviate(
        Statement statement,
        string circumstances,
        string explanation,
        bool mustRecur = false,
        bool isAbsence = false
    )
    {
        if (_deviations.Count < MostDeviations && !IsSilent)
            _deviations.Add(
                new(statement, circumstances, explanation, Math.Max(0, _trace.Count - 1))
                {
                    MustRecur = mustRecur,
                    IsAbsence = isAbsence,
                }
            );
    }

    /// <summary>The client owes something from now on.</summary>
    public void Owe(OwedAct act)
    {
        if (IsSilent)
            return;
        Check(act.Statement);
        _owed.Add(act);
    }

    /// <summary>It did what it owed.</summary>
    public void Settle(WatchedConnection connection, string key)
    {
        var place = _owed.FindIndex(act => act.Connection == connection && act.Key == key);
        if (place >= 0)
            _owed.RemoveAt(place);
    }

    /// <summary>It is seen that it will not do what it owes.</summary>
    public void GiveUp(WatchedConnection connection, string key)
    {
        if (_owed.Find(act => act.Connection == connection && act.Key == key) is not { } owed)
            return;
        Settle(connection, key);
        Deviate(owed.Statement, owed.Circumstances, owed.Explanation);
    }

    /// <summary>Nothing is owed any more on a connection.</summary>
    public void SettleAll(WatchedConnection connection) => _owed.RemoveAll(act => act.Connection == connection);

    /// <summary>Acts that may wait for acknowledgements may go on waiting.</summary>
    public void PutOffBehindWindow(long nanoseconds)
    {
        foreach (var act in _owed)
            if (act.NeedsWindow)
                act.SinceNanoseconds = nanoseconds;
    }

    /// <summary>Time has passed: what is owed for too long deviates.</summary>
    public void Tick(long nanoseconds)
    {
        for (var i = _owed.Count - 1; i >= 0; i--)
        {
            var act = _owed[i];
            if (nanoseconds - act.SinceNanoseconds <= _patienceNanoseconds)
                continue;
            _owed.RemoveAt(i);
            Deviate(
                act.Statement,
                act.Circumstances,
                FormattableString.Invariant($"{act.Explanation}: not within {patience.TotalSeconds} s"),
                isAbsence: true
            );
        }
    }
}
