using MqttCheck.App.Bench;
using MqttCheck.Cli.Results;
using MqttCheck.Reports.Documents;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Bench;

/// <summary>A bench as a page.</summary>
internal static class BenchReport
{
    /// <summary>The page.</summary>
    public static ReportDocument Document(BenchDocument bench)
    {
        return new()
        {
            Title =
                bench.IsSweep ? "How much load does the broker sustain?"
                : bench.Runs.Count > 1 ? "How fast are the brokers under the same load?"
                : "How fast is the broker under this load?",
            Headline = Headline(bench),
            Tone = bench.Conclusion == Conclusion.Success ? DocumentTone.Plain : bench.Conclusion.Tone(),
            Lead = Lead(bench),
            GeneratedUtc = bench.Generated,
            ToolVersion = bench.ToolVersion,
            Warnings =
            [
                .. bench
                    .Runs.SelectMany(run =>
                        run.Findings.Select(finding => (run.IsValid ? "" : "The run is invalid: ") + finding)
                            .Concat(run.Notes)
                            .Select(text => bench.Runs.Count == 1 ? text : $"{Name(bench, run)}: {text}")
                    )
                    .Distinct(),
            ],
            Sections =
            [
                .. bench.IsSweep ? [Curve(bench)] : (DocumentSection[])[],
                new(
                    "Latency",
                    "In milliseconds, to the last delivery of each message.",
                    [Table(bench, "Latency", run => run.Latency), .. Others(bench)]
                ),
                new("Messages", "What became of the messages. Every message has one outcome.", [Messages(bench)]),
                new(
                    "Processor and memory",
                    "Of the generator's thread, of its process for each message, "
                        + "and of the broker where it is a process of this machine.",
                    [Usage(bench)]
                ),
                new("Repeat", "", [new DocumentCommand("The same load again", bench.Repeat)]),
            ],
        };
    }

    private static string Headline(BenchDocument bench)
    {
        if (bench.IsSweep)
            return bench.Knee is not { } knee
                ? (bench.IsKneeBracketed ? "Less than the lowest rate" : "Not known")
                : Invariant($"{(bench.IsKneeBracketed ? "" : "More than ")}{knee:#,0} messages/s");
        if (bench.Runs is not [var run])
            return Invariant($"{bench.Runs.Count(run => run.Failure is null)} of {bench.Runs.Count} runs were made");
        return run.Failure
            ?? Invariant($"{run.OutPerSecond:#,0} deliveries/s, p99 {BenchText.Milliseconds(run.Latency?.P99)} ms");
    }

    private static string Lead(BenchDocument bench)
    {
        var run = bench.Runs[0];
        var what =
            bench.Runs.Select(one => one.Broker).Distinct().Count() == 1
                ? $"{run.Broker}, MQTT {run.Mqtt} over {run.Transport}; "
                : "";
        var loop = bench.IsSweep ? "open loop" : run.Loop;
        return Invariant($"{what}{run.Workload}: {run.Publishers} publishers, {run.Subscribers} subscribers; {loop}. ")
            + (
                run.IsOpenLoop
                    ? "Latency counts from the time a message was meant "
                        + "to be sent, so a broker that stalls cannot hide it."
                    : "A closed loop sends less when the broker is slow: its "
                        + "latencies are those of this load, not of a fixed one."
            )
            + (bench.IsSweep ? " The " + BenchText.Knee(bench) + "." : "");
    }

    private static DocumentSection Curve(BenchDocument bench)
    {
        IReadOnlyList<CurvePoint> Points(Func<BenchQuantiles, double?> quantile) =>
            [
                .. bench
                    .Runs.Where(run => run is { Latency: not null, OfferedPerSecond: not null })
                    .Select(run => new CurvePoint(
                        run.OfferedPerSecond!.Value,
                        Math.Max(1e-3, quantile(run.Latency!) ?? 0)
                    )),
            ];
        return new(
            "Load",
            "Latency against offered load: flat where the broker keeps up, steep where it does not.",
            [
                new CurveChart(
                    "Latency against offered load",
                    "Both axes are logarithmic.",
                    "offered load, messages/s",
                    "latency, ms",
                    [
                        new("p50", Points(times => times.P50)),
                        new("p90", Points(times => times.P90)),
                        new("p99", Points(times => times.P99)),
                        new("p99.9", Points(times => times.P999)),
                    ]
                )
                {
                    Marks = bench.Knee is { } knee ? [new("knee", knee)] : [],
                },
            ]
        );
    }

    /// <summary>The runs of a bench as curves of their percentiles.</summary>
    /// <param name="latencies">
    /// All latencies of the only run; null where there are several, of which the results hold some percentiles.
    /// </param>
    internal static IReadOnlyList<KeyValuePair<string, IReadOnlyList<(double Share, double Milliseconds)>>> Percentiles(
        BenchDocument bench,
        DurationCounts? latencies
    )
    {
        if (latencies is { Count: > 0 } && bench.Runs is [var only])
        {
            // The curve ends at the slowest two, because every percentile beyond is the maximum.
            var finest = 1 - 1.0 / Math.Max(2, latencies.Count);
            IReadOnlyList<(double, double)> points =
            [
                .. Enumerable
                    .Range(0, 141)
                    .Select(step => 1 - Math.Pow(10, -step / 20.0))
                    .Where(share => share <= finest)
                    .Select(share => (share, latencies.QuantileNanoseconds(share) / 1e6)),
            ];
            return [new(Name(bench, only), points)];
        }
        return
        [
            .. bench
                .Runs.Where(run => run.Latency is not null)
                .Select(run =>
                    KeyValuePair.Create(
                        Name(bench, run),
                        (IReadOnlyList<(double, double)>)
                            [
                                (.5, run.Latency!.P50),
                                .. Known(.9, run.Latency.P90),
                                (.99, run.Latency.P99),
                                .. Known(.999, run.Latency.P999),
                            ]
                    )
                ),
        ];

        static (double, double)[] Known(double share, double? value) => value is { } known ? [(share, known)] : [];
    }

    /// <summary>The chart of delivered against offered messages; null where the load was not varied.</summary>
    internal static CurveChart? Throughput(BenchDocument bench)
    {
        BenchRun[] runs = [.. bench.Runs.Where(run => run is { OfferedPerSecond: > 0, OutPerSecond: > 0 })];
        return !bench.IsSweep || runs.Length == 0
            ? null
            : new(
                "Throughput against offered load",
                "Deliveries per second against messages offered per second, both "
                    + "logarithmic: where the curves part, the broker does not keep up.",
                "offered load, messages/s",
                "deliveries/s",
                [
                    new(
                        "delivered",
                        [.. runs.Select(run => new CurvePoint(run.OfferedPerSecond!.Value, run.OutPerSecond))]
                    ),
                    new(
                        "offered",
                        [
                            .. runs.Select(run => new CurvePoint(
                                run.OfferedPerSecond!.Value,
                                run.OfferedPerSecond.Value * run.Receivers
                            )),
                        ]
                    ),
                ]
            )
            {
                Marks = bench.Knee is { } knee ? [new("knee", knee)] : [],
            };
    }

    private static IEnumerable<DocumentTable> Others(BenchDocument bench)
    {
        (string Label, Func<BenchRun, BenchQuantiles?> Times)[] kinds =
        [
            ("Service time: from sending", run => run.IsOpenLoop ? run.Service : null),
            ("Each delivery, from sending", run => run.EachDelivery),
            ("Acknowledgement, from sending", run => run.Acknowledgement),
            ("Send lag: from the intended time to sending", run => run.IsOpenLoop ? run.SendLag : null),
            ("Send lag of the generator itself", run => run.OwnLag),
            ("Delivery after being offline, from sending", run => run.CatchUp),
        ];
        return kinds
            .Where(kind => bench.Runs.Any(run => kind.Times(run) is not null))
            .Select(kind => Table(bench, kind.Label, kind.Times));
    }

    private static DocumentTable Table(BenchDocument bench, string label, Func<BenchRun, BenchQuantiles?> times) =>
        new(
            label,
            [label, "count", "mean", "p50", "p90", "p99", "p99.9", "max"],
            [
                .. bench.Runs.Select(run =>
                    (IReadOnlyList<string>)[Name(bench, run), .. BenchText.Cells(times(run)).Select(cell => cell.Text)]
                ),
            ]
        );

    private static DocumentTable Messages(BenchDocument bench) =>
        new(
            "Messages",
            [
                "run",
                "MQTT",
                "in/s",
                "out/s",
                "messages",
                "lost",
                "not sent",
                "duplicates",
                "redeliveries",
                "reordered",
                "remark",
            ],
            [
                .. bench.Runs.Select(run =>
                    (IReadOnlyList<string>)
                        [
                            Name(bench, run),
                            run.Mqtt,
                            BenchText.Number(run.InPerSecond),
                            BenchText.Number(run.OutPerSecond),
                            BenchText.Number(run.Messages),
                            BenchText.Number(run.Lost),
                            BenchText.Number(run.Outcomes.GetValueOrDefault("unsent")),
                            BenchText.Number(run.Duplicates),
                            BenchText.Number(run.Redeliveries),
                            BenchText.Number(run.Reordered),
                            BenchText.Remark(run, bench),
                        ]
                ),
            ]
        );

    private static DocumentTable Usage(BenchDocument bench) =>
        new(
            "Processor and memory",
            ["run", "generator", "us per message", "collections, ms", "broker", "us per message", "MiB", "warm-up"],
            [
                .. bench.Runs.Select(run =>
                    (IReadOnlyList<string>)
                        [
                            Name(bench, run),
                            BenchText.Percent(run.GeneratorCpuShare),
                            BenchText.Milliseconds(run.GeneratorMicrosecondsPerMessage),
                            BenchText.Milliseconds(run.CollectionPausesMilliseconds),
                            BenchText.Percent(run.BrokerCpuShare),
                            BenchText.Milliseconds(run.BrokerMicrosecondsPerMessage),
                            BenchText.Number(run.BrokerMebibytes),
                            run.Stationary,
                        ]
                ),
            ]
        );

    private static string Name(BenchDocument bench, BenchRun run) =>
        bench.IsSweep ? BenchText.Number(run.OfferedPerSecond) + "/s"
        : bench.Runs.Count == 1 ? run.Workload
        : Invariant($"{run.Broker}, {run.Publishers} pairs");
}
