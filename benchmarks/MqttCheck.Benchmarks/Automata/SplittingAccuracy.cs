using System.Diagnostics;
using System.Globalization;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Networks;
using MqttCheck.Automata.Splitting;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Benchmarks.Automata;

/// <summary>
/// Estimates how likely the second queue of a tandem (arrivals 3, services 2 and 6, begun with one customer there) has
/// c customers before it is empty, by splitting, and compares with the solution of the chain's linear equations. Usage:
/// <c>dotnet MqttCheck.Benchmarks.dll splitting [EFFORT]</c>.
/// </summary>
internal static class SplittingAccuracy
{
    public static int Run(string[] args)
    {
        var effort = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 12_000;
        foreach (var (capacity, expected) in new[] { (8, 5.605e-6), (10, 3.148e-7) })
        {
            foreach (var method in Enum.GetValues<SplittingMethod>())
            {
                var property = new NetworkProperty.Probability(
                    "overflow",
                    new PathFormula.Until(Of("q2") > 0, Of("q2") >= capacity, TimeBound.Any)
                );
                using var process = Process.GetCurrentProcess();
                var before = process.TotalProcessorTime;
                var estimate = ImportanceSplitting.Estimate(
                    new NetworkSimulator(Tandem()),
                    property,
                    new()
                    {
                        Method = method,
                        Effort = method == SplittingMethod.Restart ? 4 * effort : effort,
                        Repetitions = 20,
                        Seed = 1,
                    }
                );
                process.Refresh();
                var seconds = (process.TotalProcessorTime - before).TotalSeconds;
                Console.WriteLine(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"c = {capacity, 2} {method, -12} {estimate.Probability:0.000E+0} "
                            + $"({estimate.Probability / expected - 1:+0.0%;-0.0%}, standard "
                            + $"error {estimate.StandardError / expected:0.0%}), {seconds:0.0} s "
                            + $"of processor time, {estimate.Steps / seconds / 1e6:0.0} M steps/s"
                    )
                );
            }
        }
        return 0;
    }

    private static AutomataNetwork Tandem() =>
        new()
        {
            Name = "tandem",
            Variables = [new("q1", VariableType.Integer), new("q2", VariableType.Integer, 1)],
            Automata =
            [
                new()
                {
                    Name = "both queues",
                    Variables = [new("c", VariableType.Clock), new("d", VariableType.Real)],
                    Locations = [new("start", Of("c") <= 0), new("go", Of("c") <= Of("d"))],
                    InitialLocation = "start",
                    Edges =
                    [
                        new("start", [new("go", 1, [Next()])]),
                        new(
                            "go",
                            [
                                new("go", 3, [new("q1", Of("q1") + 1), new("c", 0), Next()]),
                                new(
                                    "go",
                                    If(Of("q1") > 0, 2, 0),
                                    [new("q1", Of("q1") - 1), new("q2", Of("q2") + 1), new("c", 0), Next()]
                                ),
                                new("go", If(Of("q2") > 0, 6, 0), [new("q2", Of("q2") - 1), new("c", 0), Next()]),
                            ]
                        )
                        {
                            Guard = Of("c") >= Of("d"),
                        },
                    ],
                },
            ],
        };

    // The time to the next of three exponential events.
    private static Assignment Next() =>
        new("d", Draw(Distribution.Exponential, 3 + If(Of("q1") > 0, 2, 0) + If(Of("q2") > 0, 6, 0))) { Order = 1 };
}
