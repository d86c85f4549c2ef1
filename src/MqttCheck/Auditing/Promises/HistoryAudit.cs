using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// Simulates the true error of a history of comparisons. It must find no change in exchangeable results, whatever their
/// law and number.
/// </summary>
internal sealed class HistoryAudit : IPromiseAudit
{
    private const int SharesOf = 20;

    // A law draws what the results have in common first, and fills them in then.
    private delegate void ResultLaw(Span<double> results, RandomStream random);

    private static readonly int[] s_lengths = [200, 250, 1000];

    private static readonly (string Name, ResultLaw Fill)[] s_laws =
    [
        ("normal", Each((ref random) => Normal(ref random))),
        ("even", Each((ref random) => random.NextDouble())),
        ("0 or 1", Each((ref random) => random.NextInt(2))),
        (
            "1 in six of ten results, else a little less",
            Each((ref random) => random.NextDouble() < .6 ? 1 : 1 - .1 * Math.Pow(random.NextDouble(), 2))
        ),
        ("Cauchy", Each((ref random) => Math.Tan(Math.PI * (random.NextOpenDouble() - .5)))),
        (
            "normal, one in ten ten times as far",
            Each((ref random) => Normal(ref random) * (random.NextInt(10) == 0 ? 10 : 1))
        ),
        ("shares of 20 around a random level of all", AroundOneLevel),
    ];

    private delegate double Draw(ref RandomStream random);

    /// <inheritdoc/>
    public string Title => "Histories of comparisons";

    /// <inheritdoc/>
    public string Description =>
        "A result is added and looked at, again and again, and the level never changes. A history in which a change "
        + "is found is wrong. The first column is the law of the results.";

    /// <inheritdoc/>
    public IReadOnlyList<PromiseCell> Cells { get; } =
    [.. s_lengths.SelectMany(length => s_laws.Select(law => Cell(length, law.Name, law.Fill)))];

    private static PromiseCell Cell(int length, string name, ResultLaw fill) =>
        new()
        {
            Subject = Invariant($"history of {length} results"),
            Variant = name,
            Situation = "a change is found",
            Law = RunLaw.Independent,
            Guarantee = Guarantee.Any,
            Promise = LevelChanges.FalseAlarmRate,
            Trial = random =>
            {
                var results = new double[length];
                fill(results, random);
                return LevelChanges.Find(results).Count > 0 ? TrialOutcome.Wrong : TrialOutcome.Right;
            },
        };

    private static ResultLaw Each(Draw draw) =>
        (results, random) =>
        {
            foreach (ref var result in results)
                result = draw(ref random);
        };

    // Exchangeable, but not independent.
    private static void AroundOneLevel(Span<double> results, RandomStream random)
    {
        var level = random.NextDouble();
        foreach (ref var result in results)
        {
            var inTime = 0;
            for (var one = 0; one < SharesOf; one++)
                inTime += random.NextDouble() < level ? 1 : 0;
            result = (double)inTime / SharesOf;
        }
    }

    private static double Normal(ref RandomStream random) => NormalQuantile.At(random.NextOpenDouble());
}
