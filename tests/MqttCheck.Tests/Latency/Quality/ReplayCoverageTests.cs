using MqttCheck.Auditing.Promises;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Latency.Quality;

/// <summary>
/// How often the interval of the replayed cases holds the error of a further case, by simulation of trainings.
/// </summary>
public sealed class ReplayCoverageTests
{
    private const int Repetitions = 5000;

    // One run of all cells in a thousand fails by chance where an interval holds exactly its level (a normal quantile
    // of 3.7 for each of ten cells). Seed 78.
    private const double Deviations = 3.7;

    // Without the ranks of the cases, by 5000 trainings each, seed 79, the first five hold .76, .86, .86, .89 and .89:
    // dotnet test --filter Name=Shares_and_widths prints the shares with and without.
    [TestCase("normal", 8, .05)]
    [TestCase("0, in 15 % of the cases 3", 15, .05)]
    [TestCase("0, in 15 % of the cases 3", 15, .1)]
    [TestCase("0, in 15 % of the cases 3", 24, .05)]
    [TestCase("0, in 15 % of the cases 3", 24, .1)]
    [TestCase("normal", 15, .03)]
    [TestCase("Student, 2 degrees of freedom", 15, .05)]
    [TestCase("Student, 5 degrees of freedom", 15, .03)]
    [TestCase("uniform", 12, .05)]
    [TestCase("clusters", 12, .05)]
    [Category("Whole")]
    public void Interval_of_a_further_case_holds_its_level_at_least(string law, int cases, double deviation)
    {
        var level = PredictionPromiseAudit.LevelOf(cases);
        Assert.That(
            Held(Law(law), cases, deviation, Repetitions, seed: 78, training => training.Holds(level)),
            Is.GreaterThan(level - Deviations * Math.Sqrt(level * (1 - level) / Repetitions))
        );
    }

    [Test, Explicit("Many minutes: prints the table of docs/evidence/intervals.md.")]
    public void Shares_and_widths()
    {
        const int Trainings = 5000;
        foreach (var cases in (int[])[6, 8, 12, 15, 24, 39])
        foreach (var law in PredictionErrorLaw.All)
        foreach (var deviation in (double[])[.01, .03, .05, .1])
        {
            var level = PredictionPromiseAudit.LevelOf(cases);
            var held = Held(law, cases, deviation, Trainings, 79, training => training.Holds(level));
            var before = Held(law, cases, deviation, Trainings, 79, training => training.Content <= level);
            TestContext.Out.WriteLine(
                FormattableString.Invariant(
                    $"| {law.Name} | {deviation} | {cases} | {level} | {before:0.000} | {held:0.000} |"
                )
            );
        }
    }

    private static PredictionErrorLaw Law(string name) => PredictionErrorLaw.All.Single(law => law.Name == name);

    private static double Held(
        PredictionErrorLaw law,
        int cases,
        double deviation,
        int trainings,
        ulong seed,
        Func<SimulatedTraining, bool> holds
    )
    {
        var held = 0;
        Parallel.For(
            0,
            trainings,
            training =>
            {
                var random = RandomStream.For(seed, (ulong)training);
                if (holds(new(law, deviation, cases, ref random)))
                    Interlocked.Increment(ref held);
            }
        );
        return (double)held / trainings;
    }
}
