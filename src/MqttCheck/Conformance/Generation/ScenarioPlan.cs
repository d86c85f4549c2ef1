using MqttCheck.Conformance.Model;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// Which subjects the scenarios of a check are about. Half of them are drawn evenly. The other half is drawn by
/// coverage: a subject weighs more, the more often its scenarios judge statements that were judged seldom.
/// </summary>
/// <remarks>
/// The weight of a subject is the sum over statements of the mean number of judgements that a scenario about it makes,
/// at most one, divided by one plus the number of judgements of all scenarios. Not thread-safe.
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
    private readonly ScenarioSubject[] _exploring = [.. generator.Subjects(waits: false)];
    private readonly ScenarioSubject[] _waiting = [.. generator.Subjects(waits: true)];

    /// <summary>The next scenario.</summary>
    /// <param name="number">Its number: with the seed it fixes the scenario about a subject.</param>
    /// <param name="waits">Whether it waits for intervals to pass.</param>
    /// <param name="meetsOthers">Whether it takes what other runs publish.</param>
    public PlannedScenario Next(ulong number, bool waits, bool meetsOthers)
    {
        var random = RandomStream.For(seed, number, 2);
        var subjects = waits ? _waiting : _exploring;
        var subject =
            random.NextDouble() < .5
                ? subjects[random.NextInt(subjects.Length)]
                : ByCoverage(subjects, random.NextDouble());
        return new PlannedScenario(generator.Generate(subject, meetsOthers, seed, number), subject);
    }

    /// <summary>Takes note of what a run judged.</summary>
    /// <param name="subject">What its scenario was about.</param>
    /// <param name="exercised">How often it judged each statement.</param>
    public void Judged(ScenarioSubject subject, IReadOnlyDictionary<Statement, int> exercised)
    {
        ArgumentNullException.ThrowIfNull(exercised);
        if (!_rates.TryGetValue(subject, out var sums))
            _rates.Add(subject, sums = []);
        _runs[subject] = _runs.GetValueOrDefault(subject) + 1;
        foreach (var (statement, times) in exercised)
        {
            sums[statement] = sums.GetValueOrDefault(statement) + Math.Min(times, 1);
            _judged[statement] = _judged.GetValueOrDefault(statement) + times;
        }
    }

    private ScenarioSubject ByCoverage(ScenarioSubject[] subjects, double share)
    {
        var weights = Array.ConvertAll(subjects, Weight);
        var left = share * weights.Sum();
        for (var i = 0; i < subjects.Length - 1; i++)
            if ((left -= weights[i]) < 0)
                return subjects[i];
        return subjects[^1];
    }

    private double Weight(ScenarioSubject subject)
    {
        var (sums, runs) = (_rates.GetValueOrDefault(subject), _runs.GetValueOrDefault(subject));
        var weight = Optimism / (1 + runs);
        foreach (var (statement, judged) in _judged)
            weight += ((sums?.GetValueOrDefault(statement) ?? 0) + Optimism) / (runs + 1.0) / (1 + judged);
        return weight;
    }
}
