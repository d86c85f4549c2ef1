using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Benchmarks.Automata;
using MqttCheck.Latency.Files;
using MqttCheck.Profiles;
using MqttCheck.Shards;
using MqttCheck.Simulation;
using MqttCheck.Workers.Coordinating;
using MqttCheck.Workers.Hosting;
using MqttCheck.Workers.Joining;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Workers;

/// <summary>
/// The gain and the cost of workers, with processes of one slot each on this machine: the time of a job with two of
/// them beside that with one, the time with one beside that on one thread of this process, in turn; and the memory that
/// a coordinator needs for many shards. Without a number of replications the job takes at least 20 s on one worker. The
/// exit code is 1 if a limit is not kept. Usage: <c>dotnet MqttCheck.Benchmarks.dll workers MODEL.json
/// [REPLICATIONS|auto [TURNS [SHARDS]]]</c>.
/// </summary>
internal static class WorkerScaling
{
    private const double JobSeconds = 22,
        LargestTimeOfTwo = .6,
        LargestCost = .05,
        MostMebibytes = 300;
    private const int Calibration = 200;

    private static readonly JobCatalogue s_catalogue = new JobCatalogue().Add(FleetJob.Kind, FleetJob.Parse);
    private static readonly WorkerSecurity s_open = WorkerSecurity.Of(null, null);

    public static async Task<int> RunAsync(string[] args)
    {
        int Argument(int index, int otherwise) =>
            args.Length > index && args[index] != "auto"
                ? int.Parse(args[index], CultureInfo.InvariantCulture)
                : otherwise;
        var (turns, shards) = (Argument(2, 3), Argument(3, 100_000));
        var model = LatencyModelFile.Read(args[0]).Model;
        FleetJob Job(int clients) =>
            new(model, new() { Population = Population.Of(FleetComparison.Up1), Clients = clients });
        string[] addresses = [FreeAddress(), FreeAddress()];
        Process[] workers = [Serve(addresses[0]), Serve(addresses[1]), Serve(addresses[1])];
        try
        {
            await using var one = await ConnectAsync(addresses[0], 1);
            await using var two = await ConnectAsync(addresses[1], 2);
            var (local, alone, both) = (new List<double>(), new List<double>(), new List<double>());
            // Code that is compiled here is warm afterwards.
            Seconds(new LocalShardRunner(1), Job(130), Calibration);
            var replications = Argument(
                1,
                (int)(JobSeconds / Seconds(new LocalShardRunner(1), Job(130), Calibration) * Calibration)
            );
            Console.WriteLine(Invariant($"{replications} replications of 130 clients"));
            for (var turn = 0; turn <= turns; turn++)
            {
                var count = turn == 0 ? replications / 5 : replications;
                double[] seconds =
                [
                    Seconds(new LocalShardRunner(1), Job(130), count),
                    Seconds(one, Job(130), count),
                    Seconds(two, Job(130), count),
                ];
                if (turn == 0)
                    continue;
                local.Add(seconds[0]);
                alone.Add(seconds[1]);
                both.Add(seconds[2]);
            }
            Print("one thread of this process", local);
            Print("one worker", alone);
            Print("two workers", both);
            Console.WriteLine(
                Invariant($"two workers take {Ratio(both, alone):0.000} of the time of one; ")
                    + Invariant($"one takes {Ratio(alone, local) - 1:0.0%} more than a thread here (medians of turns)")
            );
            var mebibytes = Many(two, Job(10), shards);
            return
                Keeps("two workers, of the time of one", Ratio(both, alone), LargestTimeOfTwo)
                & Keeps("one worker, cost over a thread", Ratio(alone, local) - 1, LargestCost)
                & Keeps("memory of the coordinator, MiB", mebibytes, MostMebibytes)
                ? 0
                : 1;
        }
        finally
        {
            foreach (var worker in workers)
            {
                worker.Kill();
                worker.Dispose();
            }
        }
    }

    /// <summary>A worker with one slot, until it is killed.</summary>
    public static async Task<int> ServeAsync(string[] args)
    {
        var options = new WorkerOptions
        {
            Join = WorkerAddress.Parse(args[0], "ADDRESS"),
            Slots = 1,
            Security = s_open,
        };
        await using var worker = await WorkerHost.StartAsync(options, s_catalogue, default);
        Console.WriteLine("ready");
        await Task.Delay(Timeout.Infinite);
        return 0;
    }

    private static double Many(WorkerShardRunner runner, FleetJob job, int shards)
    {
        runner.MostOfShard = 1;
        var from = Stopwatch.GetTimestamp();
        var outcomes = runner.Run(job, shards, default).Count();
        using var process = Process.GetCurrentProcess();
        Console.WriteLine(
            Invariant($"{outcomes} shards of one replication in {Stopwatch.GetElapsedTime(from).TotalSeconds:0.0} s; ")
                + Invariant($"the coordinator's largest memory was {process.PeakWorkingSet64 / 1048576.0:0} MiB")
        );
        return process.PeakWorkingSet64 / 1048576.0;
    }

    private static bool Keeps(string what, double value, double limit)
    {
        Console.WriteLine(
            Invariant($"{(value <= limit ? "kept  " : "BROKEN")} {what}: {value:0.000}, at most {limit}")
        );
        return value <= limit;
    }

    private static void Print(string what, List<double> seconds) =>
        Console.WriteLine(Invariant($"{what}: {string.Join(", ", seconds.Select(one => Invariant($"{one:0.00} s")))}"));

    private static double Ratio(List<double> upper, List<double> lower) =>
        FleetComparison.Median([.. upper.Zip(lower, (one, other) => one / other)]);

    private static double Seconds(IShardRunner runner, FleetJob job, int replications)
    {
        var from = Stopwatch.GetTimestamp();
        _ = runner.Run(job, replications, default).Count();
        return Stopwatch.GetElapsedTime(from).TotalSeconds;
    }

    private static async Task<WorkerShardRunner> ConnectAsync(string address, int workers)
    {
        var where = WorkerAddress.Parse(address, "ADDRESS");
        while (true)
        {
            var runner = await WorkerShardRunner.ConnectAsync(where, s_open, s_catalogue, _ => { }, _ => { }, default);
            await runner.SettleAsync(default);
            if (runner.Workers.Count == workers)
                return runner;
            await runner.DisposeAsync();
        }
    }

    private static Process Serve(string address)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true };
        foreach (var word in (string[])[typeof(WorkerScaling).Assembly.Location, "workers-serve", address])
            start.ArgumentList.Add(word);
        var worker = Process.Start(start)!;
        return worker.StandardOutput.ReadLine() == "ready"
            ? worker
            : throw new InvalidOperationException("the worker did not start");
    }

    private static string FreeAddress()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return Invariant($"127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}");
    }
}
