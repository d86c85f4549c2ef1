using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using MqttCheck.Profiles;
using MqttCheck.Simulation;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Benchmarks.Automata;

/// <summary>
/// Times the client-fleet simulator on one thread beside fleet.c, a plain C event loop of the same model, in turns, by
/// processor time, and compares their checksums.
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- fleet [CLIENTS REPLICATIONS
/// [TURNS]]</c>; needs <c>cc</c>.
/// </summary>
internal static class FleetComparison
{
    internal static readonly UsageProfile Up1 = new()
    {
        Name = "up1",
        WaitMilliseconds = new UniformLaw(0, 500),
        Weights = new MessageWeights(1, 1, 5, 3, 2),
    };
    private static readonly (int Clients, int Replications)[] Setups = [(130, 300), (10_000, 4), (1_000_000, 1)];

    public static int Run(string[] args)
    {
        var setups =
            args.Length >= 2
                ? [(int.Parse(args[0], CultureInfo.InvariantCulture), int.Parse(args[1], CultureInfo.InvariantCulture))]
                : Setups;
        var turns = args.Length >= 3 ? int.Parse(args[2], CultureInfo.InvariantCulture) : 5;
        var directory = Directory.CreateTempSubdirectory("mqttcheck-fleet-").FullName;
        try
        {
            var model = new TableModel();
            var table = Path.Combine(directory, "table");
            File.WriteAllBytes(table, MemoryMarshal.AsBytes(model.Table.AsSpan()).ToArray());
            var program = CompileC(directory);
            var same = true;
            Console.WriteLine(
                "clients  exchanges/s C  exchanges/s C#  ratio of medians  bytes per client  mean active  same result"
            );
            foreach (var (clients, replications) in setups)
                same &= Compare(model, program, table, clients, replications, clients < 100_000 ? turns : 1);
            return same ? 0 : 1;
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static bool Compare(
        TableModel model,
        string program,
        string table,
        int clients,
        int replications,
        int turns
    )
    {
        var setup = new SimulatedFleet
        {
            Population = Population.Of(Up1),
            Clients = clients,
            Seed = 1,
        };
        FleetSimulation.Run(model, setup with { Clients = 130 }, 50, threads: 1);
        var (c, sharp) = (new List<double>(), new List<double>());
        var (same, active, bytes) = (true, 0.0, 0.0);
        for (var turn = 0; turn < turns; turn++)
        {
            var words = Execute(
                    "/bin/sh",
                    "-c",
                    string.Create(CultureInfo.InvariantCulture, $"'{program}' {clients} {replications} 1 1 < '{table}'")
                )
                .Split();
            var exchanges = double.Parse(words[0], CultureInfo.InvariantCulture);
            c.Add(exchanges / double.Parse(words[1], CultureInfo.InvariantCulture));

            GC.Collect();
            var watch = Process.GetCurrentProcess().TotalProcessorTime;
            var before = GC.GetAllocatedBytesForCurrentThread();
            var sample = FleetSimulation.Run(model, setup, replications, threads: 1);
            // All that the simulation takes, without its result.
            bytes = (GC.GetAllocatedBytesForCurrentThread() - before - 8.0 * sample.WorstMilliseconds.Length) / clients;
            sharp.Add(sample.Exchanges / (Process.GetCurrentProcess().TotalProcessorTime - watch).TotalSeconds);
            same &=
                sample.Exchanges == (long)exchanges
                && Checksum(sample) == ulong.Parse(words[2], CultureInfo.InvariantCulture);
            active = sample.MeanActive;
        }
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{clients, 7}  {Median(c), 13:N0}  {Median(sharp), 14:N0}  "
                    + $"{Median(sharp) / Median(c), 16:0.00}  {bytes, 16:0}  "
                    + $"{active, 11:0.0}  {(same ? "yes" : "NO"), 11}"
            )
        );
        return same;
    }

    internal static string CompileC(string directory)
    {
        var program = Path.Combine(directory, "fleet");
        Execute(
            "cc",
            "-O3",
            "-march=native",
            "-ffp-contract=off",
            "-o",
            program,
            Path.Combine(AppContext.BaseDirectory, "Automata", "fleet.c"),
            "-lm"
        );
        return program;
    }

    internal static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);

    private static ulong Checksum(FleetSample sample)
    {
        ulong sum = 0;
        for (var i = 0; i < sample.WorstMilliseconds.Length; i++)
        {
            var z = BitConverter.DoubleToUInt64Bits(sample.WorstMilliseconds[i]) ^ (ulong)(i % sample.Clients);
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
            sum += z ^ (z >> 31);
        }
        return sum;
    }

    internal static string Execute(string file, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(file, arguments) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? output
            : throw new InvalidOperationException($"{file} ended with {process.ExitCode}.");
    }
}
