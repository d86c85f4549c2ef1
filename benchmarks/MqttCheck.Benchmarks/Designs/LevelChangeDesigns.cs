using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Designs;

/// <summary>
/// Ways to watch a series for a change of its level, beside each other on the same simulated results:
/// <c>level-changes</c>, the tables in docs/evidence/history.md. Each of them shows a change in at most .05 of all
/// series without one.
/// </summary>
internal static class LevelChangeDesigns
{
    private const int Series = 100,
        Further = 100;
    private const ulong Seed = 21;

    private static readonly string[] s_designs =
    [
        "permutations, n^-1.5",
        "permutations, 1 / (n log(n)^2)",
        "bets on ranks",
    ];

    private static readonly double[] s_bets = [-3, -2, -1.5, -1, -.6, .6, 1, 1.5, 2, 3];

    /// <summary>Prints both tables, in a quarter of an hour.</summary>
    public static int Run()
    {
        foreach (var shift in new[] { 3, 2, 1.5 })
            ChangesAfterATrueOne(shift);
        foreach (var build in new[] { 20, 100, 500 })
        foreach (var shift in new[] { 3, 2, 1 })
            SideBySide(build, shift);
        return 0;
    }

    private static void SideBySide(int build, int shift)
    {
        foreach (var design in s_designs)
        {
            var delays = new List<int>();
            var slowest = TimeSpan.Zero;
            for (ulong number = 0; number < Series; number++)
            {
                var (delay, longest) = Delay(design, Values(number, build, shift), build, number);
                delays.Add(delay);
                slowest = longest > slowest ? longest : slowest;
            }
            delays.Sort();
            var found = delays.Count(delay => delay <= Further);
            Console.WriteLine(
                Invariant($"| {build} | {shift} | {design} | {Shown(delays[Series / 2])} | ")
                    + Invariant($"{Shown(delays[Series * 9 / 10])} | {found} | {slowest.TotalSeconds:0.0} |")
            );
        }
    }

    private static void ChangesAfterATrueOne(double shift)
    {
        const int series = 300,
            before = 60,
            length = 400;
        var (found, placed, more) = (0, 0, 0);
        for (ulong number = 0; number < series; number++)
        {
            var random = RandomStream.For(Seed + 1, number);
            var values = new double[length];
            for (var at = 0; at < length; at++)
                values[at] = NormalQuantile.At(random.NextOpenDouble()) - (at < before ? 0 : shift);
            var changes = LevelChanges.Find(values);
            found += changes.Count > 0 ? 1 : 0;
            placed += changes.Count > 0 && changes[0] == before ? 1 : 0;
            more += changes.Count > 1 ? 1 : 0;
        }
        Console.WriteLine(Invariant($"| {shift} | {found} | {placed} | {more} |"));
    }

    private static string Shown(int delay) => delay > Further ? $"> {Further}" : $"{delay}";

    private static double[] Values(ulong number, int build, int shift)
    {
        var random = RandomStream.For(Seed, number);
        var values = new double[build + Further];
        for (var at = 0; at < values.Length; at++)
            values[at] = NormalQuantile.At(random.NextOpenDouble()) - (at < build ? 0 : shift);
        return values;
    }

    // How many results of the new level there are when it is found. Looks before the change are left out.
    private static (int Delay, TimeSpan Longest) Delay(string design, double[] values, int build, ulong number)
    {
        if (design == "bets on ranks")
            return (OfBets(values, build, RandomStream.For(Seed + 1, number)), TimeSpan.Zero);
        var longest = TimeSpan.Zero;
        for (var seen = build + 1; seen <= values.Length; seen++)
        {
            var started = Environment.CpuUsage.TotalTime;
            var first = Math.Max(0, seen - LevelChanges.MostValues);
            var change = LevelChanges.Change(
                values.AsSpan(first, seen - first),
                Share(design, seen),
                RandomStream.For(number, (ulong)seen)
            );
            var took = Environment.CpuUsage.TotalTime - started;
            longest = took > longest ? took : longest;
            if (change is not null)
                return (seen - build, longest);
        }
        return (Further + 1, longest);
    }

    private static double Share(string design, int seen) =>
        design == "permutations, n^-1.5"
            ? LevelChanges.Share(seen)
            : LevelChanges.FalseAlarmRate * Math.Log(12) * (1 / Math.Log(seen) - 1 / Math.Log(seen + 1));

    // A martingale by Ville's inequality: the mean, over where the change is and how large, of likelihood ratios of
    // normal scores. The ranks of exchangeable values, each among those before it, are independent and uniform.
    private static int OfBets(double[] values, int build, RandomStream random)
    {
        var wealth = new double[s_bets.Length];
        for (var seen = 1; seen <= values.Length; seen++)
        {
            var below = 0;
            for (var other = 0; other < seen; other++)
                below += values[other] < values[seen - 1] ? 1 : 0;
            var score = NormalQuantile.At((below + random.NextOpenDouble()) / seen);
            var (before, after) = (Prior(seen), Prior(seen + 1));
            var total = after;
            for (var bet = 0; bet < s_bets.Length; bet++)
            {
                wealth[bet] += (before - after) / s_bets.Length;
                wealth[bet] *= Math.Exp(s_bets[bet] * score - s_bets[bet] * s_bets[bet] / 2);
                total += wealth[bet];
            }
            // Alarms before the change are left out here too.
            if (seen > build && total >= 1 / LevelChanges.FalseAlarmRate)
                return seen - build;
        }
        return Further + 1;
    }

    private static double Prior(int seen) => seen <= 6 ? 1 : Math.Sqrt(6.0 / seen);
}
