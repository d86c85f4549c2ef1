using System.Collections.Concurrent;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>
/// Which faulty brokers a check finds, how soon, with how many commands and under which statement: mutants of the
/// embedded broker's core, and right brokers behind somebody who spoils what passes. The median of all seeds counts.
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- mutants [seconds=60] [seeds=1,2,3]
/// [jobs=2] [classes=named,further,language,spoiled,later] [part=1/4] [only=NAME,NAME] [findings] [live]</c>.
/// </summary>
internal static class MutantTable
{
    public static async Task<int> RunAsync(string[] args)
    {
        var options = MutantOptions.Parse(args);
        FaultyBroker[] brokers =
        [
            FaultyBroker.Right,
            .. FaultyBroker.All.Where(
                (faulty, place) =>
                    (options.Classes is null || options.Classes.Contains(faulty.Class!.Value))
                    && place % options.Part.Of == options.Part.Number - 1
                    && (options.Only is null || options.Only.Contains(faulty.Name, StringComparer.OrdinalIgnoreCase))
            ),
        ];
        var trials = new ConcurrentDictionary<(string, ulong), MutantTrial>();
        var pairs = brokers.SelectMany(faulty => options.Seeds.Select(seed => (faulty, seed)));
        await Parallel
            .ForEachAsync(
                pairs,
                new ParallelOptions { MaxDegreeOfParallelism = options.Jobs },
                async (pair, _) =>
                {
                    trials[(pair.faulty.Name, pair.seed)] = await MutantTrial
                        .RunAsync(pair.faulty, pair.seed, options)
                        .ConfigureAwait(false);
                    await Console
                        .Error.WriteLineAsync(Row.Of(pair.faulty, [trials[(pair.faulty.Name, pair.seed)]]).ToString())
                        .ConfigureAwait(false);
                }
            )
            .ConfigureAwait(false);
        await Console.Error.WriteLineAsync().ConfigureAwait(false);
        Row[] rows =
        [
            .. brokers.Select(faulty => Row.Of(faulty, [.. options.Seeds.Select(seed => trials[(faulty.Name, seed)])])),
        ];
        Write(rows, [.. trials.Values], options);
        if (options.ListsFindings)
            foreach (var row in rows)
                List(row, options);
        return rows[0].Trials.All(trial => trial.First is null) ? 0 : 1;
    }

    private static void Write(Row[] rows, MutantTrial[] trials, MutantOptions options)
    {
        var rate = trials.Sum(trial => trial.Commands) / trials.Sum(trial => trial.Exploring.TotalSeconds);
        Console.WriteLine(
            (
                options.IsLive
                    ? "Real time over loopback, "
                    : Invariant($"Time of wires in memory, {options.Latency.TotalMilliseconds} ms each way, ")
            )
                + Invariant($"{options.Time.TotalSeconds} s a check, seeds ")
                + Invariant($"{string.Join(", ", options.Seeds)}, {rate:0} commands/s while exploring.\n")
        );
        Console.WriteLine("| fault | class | found | seconds | commands | statement | right | findings |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        foreach (var row in rows)
            Console.WriteLine(row.ToString());
        Console.WriteLine(
            "\n| class | faults | found in most seeds | at the first seed | right first | findings each |"
        );
        Console.WriteLine("|---|---|---|---|---|---|");
        Row[] judged = [.. rows.Where(row => row.Faulty.Class is not null)];
        foreach (var group in judged.GroupBy(row => row.Faulty.Class!.Value).OrderBy(group => group.Key))
            WriteTotals(group.Key.ToString(), [.. group]);
        WriteTotals("all", judged);
    }

    private static void WriteTotals(string name, Row[] rows)
    {
        Row[] found = [.. rows.Where(row => row.IsFound)];
        if (found.Length > 0)
            Console.WriteLine(
                Invariant($"| {name} | {rows.Length} | {found.Length} | ")
                    + Invariant($"{rows.Count(row => row.Trials[0].First is not null)} | ")
                    + Invariant($"{found.Count(row => row.IsRight)} | {found.Average(row => row.Findings):0.00} |")
            );
    }

    private static void List(Row row, MutantOptions options)
    {
        for (var i = 0; i < row.Trials.Count; i++)
        {
            Console.WriteLine($"\n{row.Faulty.Name}, seed {options.Seeds[i]}:");
            foreach (var finding in row.Trials[i].Findings)
                Console.WriteLine(
                    $"- {finding.Key}{(finding.ExplainedBy is { } cause ? $" [under {cause}]" : "")}"
                        + $"\n  {finding.Scenario.Version}: {finding.Scenario}\n  {finding.Deviation.Explanation}"
                );
        }
    }

    private sealed record Row(
        FaultyBroker Faulty,
        IReadOnlyList<MutantTrial> Trials,
        int Hits,
        double Seconds,
        double Commands,
        string Statements,
        bool IsRight,
        double Findings
    )
    {
        public bool IsFound => 2 * Hits > Trials.Count;

        public static Row Of(FaultyBroker faulty, MutantTrial[] trials)
        {
            MutantTrial[] hits = [.. trials.Where(trial => trial.First is not null)];
            var right = hits.Count(trial => faulty.Statements.Contains(trial.First!.Statement.Name));
            return new Row(
                faulty,
                trials,
                hits.Length,
                Median(trials, trial => trial.First is null ? double.PositiveInfinity : trial.Took.TotalSeconds),
                Median(hits, trial => trial.First!.Scenario.Steps.Count),
                string.Join(", ", hits.Select(trial => trial.First!.Statement.Name).Distinct()),
                hits.Length > 0 && 2 * right > hits.Length,
                Median(trials, trial => trial.Causes)
            );
        }

        public override string ToString() =>
            Invariant($"| {Faulty.Name} | {Faulty.Class} | {Hits} of ")
            + Invariant($"{Trials.Count} | {(double.IsFinite(Seconds) ? Invariant($"{Seconds:0.0}") : "")} ")
            + Invariant($"| {(Hits > 0 ? Invariant($"{Commands:0.#}") : "")} | {Statements} | ")
            + Invariant(
                $"{(IsRight ? "yes" : Hits > 0 && Faulty.Statements.Count > 0 ? $"no: {Faulty.Statements[0]}" : "")} "
            )
            + Invariant($"| {Findings:0.#} |");

        private static double Median(MutantTrial[] trials, Func<MutantTrial, double> value)
        {
            double[] sorted = [.. trials.Select(value).Order()];
            return sorted.Length == 0 ? double.NaN
                : sorted.Length % 2 == 1 ? sorted[sorted.Length / 2]
                : (sorted[(sorted.Length / 2) - 1] + sorted[sorted.Length / 2]) / 2;
        }
    }
}
