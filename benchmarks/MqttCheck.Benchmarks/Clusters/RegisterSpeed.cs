using System.Diagnostics;
using MqttCheck.Clusters.Monitors.Retained;
using MqttCheck.Clusters.Tests.Monitors.Retained;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Clusters;

/// <summary>How long the judge of retained messages takes for one topic with many operations.</summary>
internal static class RegisterSpeed
{
    private const int Operations = 10_000;
    private const int Clients = 8;

    public static int Run()
    {
        var right = RegisterHistories.Of(Clients, Operations, seed: 1);
        // The first value is long overwritten when the last read begins.
        var stale = right.ToArray();
        var read = Array.FindLastIndex(stale, one => !one.IsWrite);
        stale[read] = stale[read] with { Value = 0 };
        // A hundredth of the writes is never acknowledged.
        var unknown = right
            .Select(
                (one, index) => one.IsWrite && index % 50 == 0 ? one with { Returned = RegisterOperation.Never } : one
            )
            .ToArray();
        RegisterJudge.Judge(right);
        var isRight =
            Measure("linearizable", right, expected: true)
            & Measure("a stale read at the end", stale, expected: false)
            & Measure("some writes without an answer", unknown, expected: true);
        return isRight ? 0 : 1;
    }

    private static bool Measure(string name, RegisterOperation[] operations, bool expected)
    {
        var clock = Stopwatch.StartNew();
        var (isLinearizable, shown) = RegisterJudge.Judge(operations);
        Console.WriteLine(
            Invariant($"{name}: {Operations} operations of {Clients} clients on one topic in ")
                + Invariant($"{clock.Elapsed.TotalMilliseconds:0} ms (at most 1000)")
        );
        if (isLinearizable == false)
        {
            clock.Restart();
            var part = RegisterJudge.Shortest(operations, shown);
            Console.WriteLine(Invariant($"  its shortest part has {part.Count}: {clock.Elapsed.TotalSeconds:0.0} s"));
        }
        return isLinearizable == expected;
    }
}
