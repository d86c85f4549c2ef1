using System.Diagnostics;
using System.Globalization;
using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Latency.Models;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Benchmarks.Automata;

/// <summary>
/// Times the general engine, in processor time of this process, and counts what it allocates. Usage:
/// <c>dotnet MqttCheck.Benchmarks.dll network [STEPS]</c>.
/// </summary>
internal static class NetworkSpeed
{
    public static int Run(string[] args)
    {
        var steps = args.Length > 0 ? long.Parse(args[0], CultureInfo.InvariantCulture) : 10_000_000;
        Time("M/M/1 queue, two automata", Queue(), steps);
        Time("tandem queue, synchronised", Tandem(), steps);
        Time("one client, log-normal latencies", Clients(1), steps);
        Time("130 clients, log-normal latencies", Clients(130), steps);
        return 0;
    }

    private static void Time(string name, AutomataNetwork network, long steps)
    {
        var run = new NetworkSimulator(network).Start(1);
        for (var i = 0; i < steps / 4; i++)
            run.Step();
        var allocated = GC.GetAllocatedBytesForCurrentThread();
        using var process = Process.GetCurrentProcess();
        var before = process.TotalProcessorTime;
        for (long i = 0; i < steps; i++)
            run.Step();
        process.Refresh();
        var seconds = (process.TotalProcessorTime - before).TotalSeconds;
        var bytes = GC.GetAllocatedBytesForCurrentThread() - allocated;
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{name, -40} {steps / seconds / 1e6, 6:0.00} M steps/s   "
                    + $"{(double)bytes / steps, 8:0.0000} bytes per step"
            )
        );
    }

    private static AutomataNetwork Clients(int count)
    {
        var profile = new UsageProfile
        {
            Name = "up1",
            WaitMilliseconds = new UniformLaw(0, 500),
            Weights = new MessageWeights(1, 1, 5, 3, 2),
        };
        return ClientNetwork.Of(
            new SimulatedFleet { Population = Population.Of(profile), Clients = count },
            new LawLatencyModel(new LogNormalLaw(5, .5))
        );
    }

    private static StochasticTimedAutomaton Source(string action, Expression time) =>
        new()
        {
            Name = "source",
            Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
            Locations = [new("away", Of("c") <= Of("d"))],
            InitialLocation = "away",
            Edges =
            [
                new("away", [new("away", 1, [new("c", 0), new("d", time)])])
                {
                    Action = action,
                    Guard = Of("c") >= Of("d"),
                },
            ],
        };

    private static AutomataNetwork Queue() =>
        new()
        {
            Name = "queue",
            Variables = [new("in", VariableType.Integer), new("out", VariableType.Integer)],
            Automata =
            [
                new()
                {
                    Name = "source",
                    Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                    Locations = [new("away", Of("c") <= Of("d"))],
                    InitialLocation = "away",
                    Edges =
                    [
                        new(
                            "away",
                            [
                                new(
                                    "away",
                                    1,
                                    [new("in", Of("in") + 1), new("c", 0), new("d", Draw(Distribution.Exponential, .8))]
                                ),
                            ]
                        )
                        {
                            Guard = Of("c") >= Of("d"),
                        },
                    ],
                },
                new()
                {
                    Name = "server",
                    Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                    Locations = [new("idle", Of("in").Is(Of("out"))), new("busy", Of("c") <= Of("d"))],
                    InitialLocation = "idle",
                    Edges =
                    [
                        new("idle", [new("busy", 1, [new("c", 0), new("d", Draw(Distribution.Exponential, 1))])])
                        {
                            Guard = Of("in") > Of("out"),
                        },
                        new("busy", [new("idle", 1, [new("out", Of("out") + 1)])]) { Guard = Of("c") >= Of("d") },
                    ],
                },
            ],
        };

    // Customers go from the source through two servers; each hand-over is a synchronisation.
    private static AutomataNetwork Tandem()
    {
        static StochasticTimedAutomaton Server(string name, double rate) =>
            new()
            {
                Name = name,
                Variables = [new("c", VariableType.Clock), new("d", VariableType.Real), new("n", VariableType.Integer)],
                Locations = [new("idle"), new("busy", Of("c") <= Of("d"))],
                InitialLocation = "idle",
                Edges =
                [
                    new(
                        "idle",
                        [new("busy", 1, [new("n", 1), new("c", 0), new("d", Draw(Distribution.Exponential, rate))])]
                    )
                    {
                        Action = "in",
                    },
                    new("busy", [new("busy", 1, [new("n", Of("n") + 1)])]) { Action = "in" },
                    new(
                        "busy",
                        [
                            new(
                                "busy",
                                1,
                                [new("n", Of("n") - 1), new("c", 0), new("d", Draw(Distribution.Exponential, rate))]
                            ),
                        ]
                    )
                    {
                        Action = "out",
                        Guard = Of("c") >= Of("d") & Of("n") > 1,
                    },
                    new("busy", [new("idle", 1, [new("n", 0)])])
                    {
                        Action = "out",
                        Guard = Of("c") >= Of("d") & Of("n") <= 1,
                    },
                ],
            };
        return new()
        {
            Name = "tandem",
            Automata = [Source("go", Draw(Distribution.Exponential, 3)), Server("first", 4), Server("second", 6)],
            Synchronisations =
            [
                new("arrival", [new("source", "go"), new("first", "in")]),
                new("between", [new("first", "out"), new("second", "in")]),
                new("end", [new("second", "out")]),
            ],
        };
    }
}
