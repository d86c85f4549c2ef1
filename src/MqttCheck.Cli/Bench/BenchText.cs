using System.Diagnostics;
using System.Globalization;
using MqttCheck.App.Bench;
using MqttCheck.Cli.Terminal;
using MqttCheck.Health;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Cli.Bench;

/// <summary>Prints what a bench measured.</summary>
internal static class BenchText
{
    private const int BarWidth = 40;

    /// <summary>Prints one run.</summary>
    public static void Print(Screen screen, BenchRun run, DurationCounts? latencies)
    {
        screen.Line($"broker      {run.Broker}, MQTT {run.Mqtt} over {run.Transport}");
        screen.Line(
            run.Subscribers == 0
                ? Invariant($"workload    {run.Workload}: {run.Publishers} clients")
                : Invariant($"workload    {run.Workload}: {run.Publishers} publishers, {run.Subscribers} subscribers")
        );
        screen.Line($"loop        {run.Loop}");
        screen.Line(
            Invariant($"measured    {run.WindowSeconds:0.0} s, warm-up before it: {run.WarmUp}; {run.Stationary}")
        );
        screen.Line(Invariant($"throughput  {run.InPerSecond:#,0} messages/s in, {run.OutPerSecond:#,0} out"));
        screen.Line(Outcomes(run));
        screen.Line(Usage(run));
        screen.Line();
        PrintTimes(screen, run);
        if (latencies is { Count: > 0 })
        {
            screen.Line();
            screen.Lines(Histogram(latencies));
        }
        PrintRemarks(screen, run);
    }

    /// <summary>Prints the findings and notes of a run.</summary>
    public static void PrintRemarks(Screen screen, BenchRun run)
    {
        screen.Warn(run.Findings.Select(finding => (run.IsValid ? "" : "invalid: ") + finding));
        foreach (var note in run.Notes)
            screen.Note(note);
        if (run.Failure is not null)
            screen.Fail($"{run.Broker}: {run.Failure}");
        if (run.HasBrokenPromise)
            screen.Fail(Invariant($"{run.Broker}: {run.Lost} messages were acknowledged and not delivered"));
    }

    /// <summary>Prints a sweep: a table, and the curve of latency against offered load.</summary>
    public static void PrintSweep(Screen screen, BenchDocument document)
    {
        screen.Line(
            $"broker      {document.Runs[0].Broker}, MQTT {document.Runs[0].Mqtt} over {document.Runs[0].Transport}"
        );
        screen.Line(
            Invariant($"workload    {document.Runs[0].Workload}: {document.Runs[0].Publishers} publishers, ")
                + Invariant($"{document.Runs[0].Subscribers} subscribers; open loop, latency from the intended time")
        );
        screen.Line();
        var table = new TextTable(
            "offered/s",
            "in/s",
            "out/s",
            "p50 ms",
            "p90 ms",
            "p99 ms",
            "p99.9 ms",
            "max ms",
            "lost",
            "generator CPU",
            "broker CPU",
            "remark"
        );
        foreach (var run in document.Runs)
        {
            var latency = run.Latency;
            table.Add(
                Count(run.OfferedPerSecond),
                Count(run.InPerSecond),
                Count(run.OutPerSecond),
                Time(latency?.P50),
                Time(latency?.P90),
                Time(latency?.P99),
                Time(latency?.P999),
                Time(latency?.Maximum),
                run.Lost,
                Share(run.GeneratorCpuShare),
                Share(run.BrokerCpuShare),
                Remark(run, document)
            );
        }
        table.Print(screen);
        screen.Line();
        screen.Lines(Curve(document.Runs));
        screen.Line();
        screen.Line(Knee(document));
        foreach (var run in document.Runs)
            PrintRemarks(screen, run);
    }

    /// <summary>Prints a scenario: one table for all brokers and sizes.</summary>
    public static void PrintScenario(Screen screen, BenchDocument document)
    {
        var hasOffline = document.Runs.Any(run => run.MissedOffline is not null);
        var table = new TextTable([
            "broker",
            "MQTT",
            "pairs",
            "messages",
            "lost",
            "dup",
            "reordered",
            .. hasOffline ? ["caught up"] : (string[])[],
            "p50 ms",
            "p90 ms",
            "p99 ms",
            "p99.9 ms",
            "max ms",
            "broker CPU",
            "broker MiB",
            "remark",
        ]);
        foreach (var run in document.Runs)
        {
            var latency = run.Latency;
            table.Add([
                run.Broker,
                run.Mqtt,
                run.Publishers,
                run.Messages,
                run.Lost,
                run.Duplicates + run.Redeliveries,
                run.Reordered,
                .. hasOffline ? [CaughtUp(run)] : (TableCell[])[],
                Time(latency?.P50),
                Time(latency?.P90),
                Time(latency?.P99),
                Time(latency?.P999),
                Time(latency?.Maximum),
                Share(run.BrokerCpuShare),
                Count(run.BrokerMebibytes),
                Remark(run, document),
            ]);
        }
        table.Print(screen);
        if (document.Runs.Any(run => run.IsOpenLoop))
            screen.Line(
                "Open loop: a message is due at a time fixed before the run, and its latency counts from then."
            );
    }

    /// <summary>The knee in words.</summary>
    public static string Knee(BenchDocument document)
    {
        const string criterion =
            "at least 99 % of what is offered is delivered in the same "
            + "time, with a p99 of at most 10 times that of the lowest rate";
        var invalid = document.Runs.Count(run => !run.IsValid);
        var leftOut =
            invalid == 0 || document.Knee is null && !document.IsKneeBracketed
                ? ""
                : Invariant($"; {invalid} of {document.Runs.Count} runs were invalid and are left out");
        return (
                document.Knee is not { } knee
                    ? (
                        document.IsKneeBracketed
                            ? "knee: below the lowest rate"
                            : "knee: not known, every run was invalid, so none can decide"
                    ) + $" ({criterion})"
                : document.IsKneeBracketed
                    ? Invariant($"knee: {knee:#,0} messages/s is the last rate that is sustained ({criterion})")
                : Invariant($"knee: above {knee:#,0} messages/s, the highest rate ")
                    + Invariant($"that could decide; every one was sustained ({criterion})")
            ) + leftOut;
    }

    /// <summary>A remark about a run in a few words.</summary>
    public static string Remark(BenchRun run, BenchDocument document)
    {
        return run.IsInterrupted ? "interrupted"
            : run.Failure is { } failure ? failure.ReplaceLineEndings(" ")
            : !run.IsValid
                ? run.GeneratorCpuShare > RunHealth.LargestCpuShare ? "invalid: generator overloaded"
                    : "invalid: generator late"
            : document.IsSweep && !BenchKnee.IsSustained(run, BenchKnee.Lowest(document.Runs)) ? "beyond the knee"
            : run.HasBrokenPromise ? "lost acknowledged messages"
            : "";
    }

    /// <summary>
    /// A histogram: one, two or four bars for each doubling, from the first to the last that holds anything, in at most
    /// about two dozen lines.
    /// </summary>
    public static IReadOnlyList<string> Histogram(DurationCounts counts)
    {
        const int mostLines = 24;
        if (counts.Count == 0)
            return [];
        var octaves = Math.Log2(
            Math.Max(counts.MaximumNanoseconds, 1_000) / Math.Max(counts.QuantileNanoseconds(0), 1_000)
        );
        var perOctave =
            octaves <= mostLines / 4 ? 4
            : octaves <= mostLines / 2 ? 2
            : 1;
        var bins = new SortedDictionary<int, long>();
        foreach (var bucket in counts.Buckets)
        {
            var bin = (int)Math.Floor(perOctave * Math.Log2(Math.Max(bucket.FromNanoseconds, 1_000)));
            bins[bin] = bins.GetValueOrDefault(bin) + bucket.Count;
        }
        var largest = bins.Values.Max();
        var lines = new List<string> { "latency, ms         share of the messages" };
        for (var bin = bins.Keys.First(); bin <= bins.Keys.Last(); bin++)
        {
            var count = bins.GetValueOrDefault(bin);
            var length = (int)Math.Round((double)BarWidth * count / largest);
            // A bin with any latencies gets at least a dot, so that rare ones are visible.
            var bar = count > 0 && length == 0 ? "·" : new string('█', length);
            lines.Add(
                Invariant($"{Math.Pow(2, (double)bin / perOctave) / 1e6, 8:0.000} .. ")
                    + Invariant($"{Math.Pow(2, (bin + 1.0) / perOctave) / 1e6, 8:0.000}  ")
                    + Invariant($"{bar.PadRight(BarWidth)} {(double)count / counts.Count, 8:0.00%}")
            );
        }
        return lines;
    }

    /// <summary>
    /// The curve of latency against offered load, on its side: for each rate a bar from p50 to p99, on a logarithmic
    /// axis.
    /// </summary>
    public static IReadOnlyList<string> Curve(IReadOnlyList<BenchRun> runs)
    {
        const int width = 60;
        var known = runs.Where(run => run.Latency is not null).ToList();
        if (known.Count == 0)
            return [];
        var low = Math.Log10(known.Min(run => Math.Max(run.Latency!.P50, 1e-3)));
        var high = Math.Max(Math.Log10(known.Max(run => run.Latency!.P99)), low + .3);
        int At(double milliseconds) =>
            (int)Math.Round((width - 1) * (Math.Log10(Math.Max(milliseconds, 1e-3)) - low) / (high - low));
        var lines = new List<string>
        {
            Invariant($"offered/s   p50 ├──┤ p99, from {Math.Pow(10, low):0.###} ")
                + Invariant($"ms to {Math.Pow(10, high):0.###} ms, logarithmic"),
        };
        foreach (var run in known)
        {
            var cells = new char[width];
            Array.Fill(cells, ' ');
            var (from, to) = (At(run.Latency!.P50), At(run.Latency.P99));
            for (var cell = from; cell <= to; cell++)
                cells[cell] = '─';
            (cells[from], cells[to]) = from == to ? ('│', '│') : ('├', '┤');
            lines.Add(Invariant($"{run.OfferedPerSecond, 9:#,0}   {new string(cells).TrimEnd()}"));
        }
        return lines;
    }

    /// <summary>A latency in a table.</summary>
    internal static string Milliseconds(double? milliseconds) =>
        milliseconds is not { } value
            ? "-"
            : value.ToString(
                value < 10 ? "0.000"
                    : value < 1000 ? "0.0"
                    : "#,0",
                CultureInfo.InvariantCulture
            );

    /// <summary>A share in a table.</summary>
    internal static string Percent(double? share) => share?.ToString("0%", CultureInfo.InvariantCulture) ?? "-";

    /// <summary>A number in a table.</summary>
    internal static string Number(double? value) => value?.ToString("#,0", CultureInfo.InvariantCulture) ?? "-";

    /// <summary>Durations in a table: their number, their mean and their percentiles.</summary>
    internal static TableCell[] Cells(BenchQuantiles? times) =>
        [
            Count(times?.Count),
            Time(times?.Mean),
            Time(times?.P50),
            Time(times?.P90),
            Time(times?.P99),
            Time(times?.P999),
            Time(times?.Maximum),
        ];

    private static TableCell Time(double? milliseconds) => TableCell.Of(milliseconds, Milliseconds(milliseconds));

    private static TableCell Share(double? share) => TableCell.Of(share, Percent(share));

    private static TableCell Count(double? value) => TableCell.Of(value, Number(value));

    private static string CaughtUp(BenchRun run) =>
        run.MissedOffline is { } missed ? Invariant($"{run.CatchUp?.Count ?? 0} of {missed}") : "-";

    private static string Outcomes(BenchRun run)
    {
        var text =
            Invariant($"messages    {run.Messages:#,0}: ")
            + string.Join(
                ", ",
                run.Outcomes.Where(outcome => outcome.Value > 0 || outcome.Key == "lost")
                    .Select(outcome => Invariant($"{outcome.Value:#,0} {outcome.Key}"))
            );
        return text
            + Invariant($"; {run.Duplicates} duplicates, {run.Redeliveries} redeliveries, {run.Reordered} reordered")
            + (run.Strays > 0 ? Invariant($", {run.Strays} strays") : "")
            + (run.ConnectionsLost > 0 ? Invariant($"; {run.ConnectionsLost} connections lost") : "")
            + (run.MissedOffline is null ? "" : $"; {CaughtUp(run)} that receivers missed offline came later");
    }

    private static string Usage(BenchRun run)
    {
        var generator =
            Invariant($"generator {Percent(run.GeneratorCpuShare)} of its core, ")
            + Invariant($"{run.GeneratorMicrosecondsPerMessage:0.0} us per message");
        return run.BrokerCpuShare is null
            ? $"processor   {generator}"
            : Invariant($"processor   {generator}; broker {Percent(run.BrokerCpuShare)}, ")
                + Invariant($"{run.BrokerMicrosecondsPerMessage:0.0} us per message, {run.BrokerMebibytes:0} MiB");
    }

    private static void PrintTimes(Screen screen, BenchRun run)
    {
        var table = new TextTable("milliseconds", "count", "mean", "p50", "p90", "p99", "p99.9", "max");
        (string Name, BenchQuantiles? Times)[] rows =
        [
            (run.IsOpenLoop ? "latency, from the intended time" : "latency", run.Latency),
            // In a closed loop the service time equals the latency.
            ("service time, from sending", run.IsOpenLoop ? run.Service : null),
            ("each delivery, from sending", run.EachDelivery),
            ("acknowledgement, from sending", run.Acknowledgement),
            ("send lag", run.IsOpenLoop ? run.SendLag : null),
            ("send lag of the generator itself", run.OwnLag),
            ("delivery after being offline", run.CatchUp),
        ];
        foreach (var (name, times) in rows)
            if (times is not null)
                table.Add([name, .. Cells(times)]);
        table.Print(screen);
    }
}
