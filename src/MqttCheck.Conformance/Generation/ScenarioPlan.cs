using MqttCheck.Conformance.Model;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// Which subjects the scenarios of a check are about. Half of them are drawn evenly. The other half is drawn by
/// coverage: a subject weighs more, the more often its scenarios judge statements that were judged seldom.
/// </summary>
/// <remarks>
/// A statement that was judged n times has the weight 1 / (1 + n). Subjects share it by how likely one of their
/// scenarios judges it. The weight of a subject is the sum of its shares. Not thread-safe.
/// </remarks>
/// <param name="generator">The scenarios.</param>
/// <param name="seed">The seed of all of them.</param>
public sealed class ScenarioPlan(ScenarioGenerator generator, ulong seed)
{
    // A subject counts as if it had judged everything once in so many scenarios, until it shows what it does.
    private const double Optimism = .05;

    private readonly Dictionary<ScenarioSubject, Dictionary<Statement, double>> _rates = [];
    private readonly Dictionary<ScenarioSubject, int> _runs = [];
    private readonly Dictionary<Statement, long> _judged = [];

    // A filter that takes everything is worth most where messages are retained.
    private static readonly ScenarioSubject[] s_meetingOthers =
    [
        ScenarioSubject.Retained,
        ScenarioSubject.Retained,
        ScenarioSubject.Retained,
        ScenarioSubject.Anything,
        ScenarioSubject.Names,
        ScenarioSubject.Overlap,
        ScenarioSubject.Absence,
        ScenarioSubject.Sharing,
    ];

    private readonly ScenarioSubject[] _exploring = [.. generator.Subjects(waits: false)];
    private readonly ScenarioSubject[] _meetingOthers =
    [
        .. s_meetingOthers.Where(generator.Subjects(waits: false).Contains),
    ];
    private readonly ScenarioSubject[] _waiting = [.. generator.Subjects(waits: true)];

    /// <summary>The next scenario.</summary>
    /// <param name="number">Its number: with the seed it fixes the scenario about a subject.</param>
    /// <param name="waits">Whether it waits for intervals to pass.</param>
    /// <param name="meetsOthers">Whether it takes what other runs publish.</param>
    public PlannedScenario Next(ulong number, bool waits, bool meetsOthers)
    {
        var random = RandomStream.For(seed, number, 2);
        var subjects =
            waits ? _waiting
            : meetsOthers ? _meetingOthers
            : _exploring;
        var subject =
            random.NextDouble() < .5
                ? subjects[random.NextInt(subjects.Length)]
                : ByCoverage(subjects, random.NextDouble());
        return new PlannedScenario(generator.Generate(subject, meetsOthers, seed, number), subject);
    }

    /// <summary>Takes note of what a run judged.</summary>
    /// <param name="subject">The subject of its scenario.</param>
    /// <param name="exercised">How often it judged each statement.</param>
    public void Judged(ScenarioSubject subject, IReadOnlyDictionary<Statement, int> exercised)
    {
        var sums = _rates.GetOrNew(subject);
        _runs[subject] = _runs.GetValueOrDefault(subject) + 1;
        foreach (var (statement, times) in exercised)
        {
            sums[statement] = sums.GetValueOrDefault(statement) + Math.Min(times, 1);
            _judged[statement] = _judged.GetValueOrDefault(statement) + times;
        }
    }

    private ScenarioSubject ByCoverage(ScenarioSubject[] subjects, double share)
    {
        var weights = new double[subjects.Length];
        foreach (var (statement, judged) in _judged)
        {
            var rates = Array.ConvertAll(subjects, subject => Rate(subject, statement));
            var sum = rates.Sum();
            for (var i = 0; i < subjects.Length; i++)
                weights[i] += rates[i] / sum / (1 + judged);
        }
        var left = share * weights.Sum();
        for (var i = 0; i < subjects.Length - 1; i++)
            if ((left -= weights[i]) < 0)
                return subjects[i];
        return subjects[^1];
    }

    // The share of the scenarios about a subject that judge a statement.
    private double Rate(ScenarioSubject subject, Statement statement) =>
        (Optimism + (_rates.GetValueOrDefault(subject)?.GetValueOrDefault(statement) ?? 0))
        / (1 + _runs.GetValueOrDefault(subject));
}
