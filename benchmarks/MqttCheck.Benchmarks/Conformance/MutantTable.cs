using System.Collections.Concurrent;
using MqttCheck.Broker.Faults;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>
/// Which mutants of the embedded broker's core a check finds, how soon, with how many commands and under which
/// statement; of several seeds the median counts.
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- mutants [seconds=60] [seeds=1,2,3]
/// [jobs=2] [only=NAME,NAME] [findings] [live]</c>.
/// </summary>
internal static class MutantTable
{
    public static async Task<int> RunAsync(string[] args)
    {
        var options = MutantOptions.Parse(args);
        MutantDescription[] mutants =
        [
            new(BrokerMutant.None, false),
            .. MutantDescription.All.Where(mutant =>
                options.Only is null
                || options.Only.Contains(mutant.Mutant.ToString(), StringComparer.OrdinalIgnoreCase)
            ),
        ];
        var trials = new ConcurrentDictionary<(BrokerMutant, ulong), MutantTrial>();
        var pairs = mutants.SelectMany(mutant => options.Seeds.Select(seed => (mutant.Mutant, seed)));
        await Parallel
            .ForEachAsync(
                pairs,
                new ParallelOptions { MaxDegreeOfParallelism = options.Jobs },
                async (pair, _) =>
                {
                    trials[pair] = await MutantTrial.RunAsync(pair.Mutant, pair.seed, options).ConfigureAwait(false);
                    await Console.Error.WriteAsync('.').ConfigureAwait(false);
                }
            )
            .ConfigureAwait(false);
        await Console.Error.WriteLineAsync().ConfigureAwait(false);
        Row[] rows =
        [
            .. mutants.Select(mutant =>
                Row.Of(mutant, [.. options.Seeds.Select(seed => trials[(mutant.Mutant, seed)])])
            ),
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
        Console.WriteLine("| mutant | named class | found | seconds | commands | statement | right | findings |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        foreach (var row in rows)
            Console.WriteLine(row.ToString());
        Row[] judged = [.. rows.Where(row => row.Mutant.Mutant != BrokerMutant.None)];
        if (judged.Length == 0)
            return;
        Row[] found = [.. judged.Where(row => row.IsFound)];
        Console.WriteLine(
            Invariant($"\n{found.Length} of {judged.Length} found in most seeds ")
                + Invariant($"({found.Count(row => row.Mutant.IsOfNamedClass)} of ")
                + Invariant($"{judged.Count(row => row.Mutant.IsOfNamedClass)} of the named classes), ")
                + Invariant($"{judged.Count(row => row.Trials[0].First is not null)} at the first seed.")
        );
        if (found.Length == 0)
            return;
        Console.WriteLine(
            Invariant($"Among those found: at most six commands {found.Count(row => row.Commands <= 6)}; ")
                + Invariant($"right statement first {found.Count(row => row.IsRight)}; findings a mutant ")
                + Invariant($"{found.Average(row => row.Findings):0.00}.")
        );
    }

    private static void List(Row row, MutantOptions options)
    {
        for (var i = 0; i < row.Trials.Count; i++)
        {
            Console.WriteLine($"\n{row.Mutant.Mutant}, seed {options.Seeds[i]}:");
            foreach (var finding in row.Trials[i].Findings)
                Console.WriteLine(
                    $"- {finding.Key}{(finding.ExplainedBy is { } cause ? $" [under {cause}]" : "")}"
                        + $"\n  {finding.Scenario.Version}: {finding.Scenario}\n  {finding.Deviation.Explanation}"
                );
        }
    }

    private sealed record Row(
        MutantDescription Mutant,
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

        public static Row Of(MutantDescription mutant, MutantTrial[] trials)
        {
            MutantTrial[] hits = [.. trials.Where(trial => trial.First is not null)];
            var right = hits.Count(trial => mutant.Statements.Contains(trial.First!.Statement.Name));
            return new Row(
                mutant,
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
            Invariant($"| {Mutant.Mutant} | {(Mutant.IsOfNamedClass ? "yes" : "")} | {Hits} of ")
            + Invariant($"{Trials.Count} | {(double.IsFinite(Seconds) ? Invariant($"{Seconds:0.0}") : "")} ")
            + Invariant($"| {(Hits > 0 ? Invariant($"{Commands:0.#}") : "")} | {Statements} | ")
            + Invariant(
                $"{(IsRight ? "yes" : Hits > 0 && Mutant.Statements.Length > 0 ? $"no: {Mutant.Statements[0]}" : "")} "
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
