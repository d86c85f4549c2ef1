using MqttCheck.Statistics;

namespace MqttCheck.App.Clusters.Survival.Search;

/// <summary>
/// Draws schedules. Each has two to four faults, chosen so that every pair of faults comes early in some schedule.
/// </summary>
/// <param name="faults">The faults, each a verb and a target.</param>
/// <param name="pairs">How many publishers there are.</param>
/// <param name="messages">How many messages they publish.</param>
/// <param name="seed">The user's seed.</param>
internal sealed class ScheduleGenerator(
    IReadOnlyList<(string Verb, string Target)> faults,
    int pairs,
    int messages,
    ulong seed
)
{
    private const ulong Stream = 0x5EA2C4;
    private const int Earliest = 500,
        Latest = 4000,
        Shortest = 200,
        Longest = 2000;

    private readonly HashSet<(int, int)> _covered = [];
    private ulong _drawn;

    /// <summary>How many pairs of faults there are; a fault makes one with itself.</summary>
    public int AllPairs => faults.Count * (faults.Count + 1) / 2;

    /// <summary>How many of them have been in a schedule.</summary>
    public int CoveredPairs => _covered.Count;

    /// <summary>The next schedule.</summary>
    public SearchSchedule Next()
    {
        var random = RandomStream.For(seed, Stream, _drawn++);
        var chosen = Beginning(ref random);
        for (var more = random.NextInt(3); more > 0; more--)
            chosen.Add(MostUncovered(chosen, ref random));
        for (var one = 0; one < chosen.Count; one++)
        for (var other = one + 1; other < chosen.Count; other++)
            _covered.Add(Pair(chosen[one], chosen[other]));
        var schedule = new List<SearchFault>();
        foreach (var fault in chosen)
            schedule.Add(
                new(
                    faults[fault].Verb,
                    faults[fault].Target,
                    Earliest + random.NextInt(Latest - Earliest),
                    Shortest + random.NextInt(Longest - Shortest)
                )
            );
        return new([.. schedule.OrderBy(fault => fault.AtMilliseconds)], pairs, messages);
    }

    private List<int> Beginning(ref RandomStream random)
    {
        var open = new List<(int One, int Other)>();
        for (var one = 0; one < faults.Count; one++)
        for (var other = one; other < faults.Count; other++)
            if (!_covered.Contains((one, other)))
                open.Add((one, other));
        if (open.Count == 0)
            return [random.NextInt(faults.Count), random.NextInt(faults.Count)];
        var pair = open[random.NextInt(open.Count)];
        return [pair.One, pair.Other];
    }

    private int MostUncovered(List<int> chosen, ref RandomStream random)
    {
        var first = random.NextInt(faults.Count);
        return Enumerable
            .Range(0, faults.Count)
            .Select(step => (first + step) % faults.Count)
            .MaxBy(fault => chosen.Count(other => !_covered.Contains(Pair(fault, other))));
    }

    private static (int, int) Pair(int one, int other) => one <= other ? (one, other) : (other, one);
}
