using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using MqttCheck.Profiles;
using MqttCheck.Simulation;

namespace MqttCheck.Benchmarks.Automata;

/// <summary>
/// How much faster the client-fleet simulator is with a thread on every processor than with one thread, in elapsed
/// time; and, since processors may share what they compute with, how much faster one C program on every processor is
/// than one alone (fleet.c, nothing shared). Usage:
/// <c>dotnet MqttCheck.Benchmarks.dll cores [CLIENTS REPLICATIONS [TURNS]]</c>; needs <c>cc</c>.
/// </summary>
internal static class CoreScaling
{
    public static int Run(string[] args)
    {
        int Argument(int index, int otherwise) =>
            args.Length > index ? int.Parse(args[index], CultureInfo.InvariantCulture) : otherwise;
        var (clients, replications, turns, threads) = (
            Argument(0, 130),
            Argument(1, 500),
            Argument(2, 7),
            Environment.ProcessorCount
        );
        var directory = Directory.CreateTempSubdirectory("mqttcheck-cores-").FullName;
        try
        {
            var model = new TableModel();
            var table = Path.Combine(directory, "table");
            File.WriteAllBytes(table, MemoryMarshal.AsBytes(model.Table.AsSpan()).ToArray());
            var program = FleetComparison.CompileC(directory);
            var setup = new SimulatedFleet
            {
                Population = Population.Of(FleetComparison.Up1),
                Clients = clients,
                Seed = 1,
            };
            var same = FleetSimulation
                .Run(model, setup, replications, threads: 1)
                .WorstMilliseconds.SequenceEqual(
                    FleetSimulation.Run(model, setup, replications, threads).WorstMilliseconds
                );
            var (c, sharp) = (new List<double>(), new List<double>());
            void Simulate(int count) => FleetSimulation.Run(model, setup, count * replications, count);
            for (var turn = 0; turn < turns; turn++)
            {
                // Program text and pages are warm after the first of each.
                c.Add(
                    threads
                        * Seconds(() => RunC(program, table, clients, replications, 1))
                        / Seconds(() => RunC(program, table, clients, replications, threads))
                );
                sharp.Add(threads * Seconds(() => Simulate(1)) / Seconds(() => Simulate(threads)));
            }
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{threads} processors, {clients} clients: {threads} threads of the simulator "
                        + $"{FleetComparison.Median(sharp):0.00} times as fast as one (in turn "
                        + $"{string.Join(' ', sharp.Select(x => x.ToString("0.00", CultureInfo.InvariantCulture)))}), "
                        + $"{threads} C programs {FleetComparison.Median(c):0.00} times as fast as one "
                        + $"({string.Join(' ', c.Select(x => x.ToString("0.00", CultureInfo.InvariantCulture)))}), "
                        + $"{(same ? "same results" : "RESULTS DIFFER")}"
                )
            );
            return same ? 0 : 1;
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static double Seconds(Action work)
    {
        var from = Stopwatch.GetTimestamp();
        work();
        return Stopwatch.GetElapsedTime(from).TotalSeconds;
    }

    private static void RunC(string program, string table, int clients, int replications, int processes) =>
        FleetComparison.Execute(
            "/bin/sh",
            "-c",
            string.Concat(
                Enumerable
                    .Range(1, processes)
                    .Select(seed =>
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"'{program}' {clients} {replications} 1 {seed} < '{table}' & "
                        )
                    )
            ) + "wait"
        );
}
