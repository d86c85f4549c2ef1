using System.Diagnostics;
using System.Globalization;
using MqttCheck.Tests.Protocol.Fuzzing;

namespace MqttCheck.Benchmarks.Protocol;

/// <summary>
/// The command <c>fuzz-packets CASES [SEED]</c>: as many random and mutated byte strings as wanted, on all processors.
/// </summary>
internal static class FuzzPackets
{
    private const int CasesPerTask = 250_000;

    /// <summary>Runs the command; 0 if nothing failed.</summary>
    /// <param name="args">Number of cases, seed.</param>
    internal static int Run(string[] args)
    {
        var cases = args.Length > 0 ? long.Parse(args[0], CultureInfo.InvariantCulture) : 10_000_000;
        var seed = args.Length > 1 ? ulong.Parse(args[1], CultureInfo.InvariantCulture) : 1;
        var clock = Stopwatch.StartNew();
        var reports = new FuzzReport[(cases + CasesPerTask - 1) / CasesPerTask];
        Parallel.For(
            0,
            reports.Length,
            i =>
                reports[i] = PacketFuzzer.Run(
                    seed + (ulong)i,
                    Math.Min(CasesPerTask, cases - ((long)i * CasesPerTask)),
                    CancellationToken.None
                )
        );
        Console.WriteLine(
            FormattableString.Invariant($"{reports.Sum(r => r.Cases)} cases in {clock.Elapsed.TotalSeconds:F1} s, ")
                + FormattableString.Invariant(
                    $"{reports.Sum(r => r.Accepted)} legal, at most {reports.Max(r => r.LargestAllocationBytes)} "
                )
                + FormattableString.Invariant(
                    $"bytes allocated for one, seeds {seed}..{seed + (ulong)reports.Length - 1}"
                )
        );
        foreach (var failure in reports.SelectMany(r => r.Failures))
            Console.WriteLine(failure);
        return reports.Any(r => r.Failures.Count > 0) ? 1 : 0;
    }
}
