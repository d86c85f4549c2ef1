using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Auditing.Promises;

/// <summary>A law of the errors of predictions, in units of their deviation, for simulated trainings.</summary>
/// <param name="Name">A name for tables.</param>
/// <param name="Begin">Draws what the cases of one training share, and returns how one error is drawn.</param>
internal sealed record PredictionErrorLaw(string Name, PredictionErrorLaw.TrainingDraw Begin)
{
    // Cases of one cluster share half of the variance.
    private const int Clusters = 5;

    /// <summary>Begins a training.</summary>
    public delegate ErrorDraw TrainingDraw(ref RandomStream random);

    /// <summary>Draws one error.</summary>
    public delegate double ErrorDraw(ref RandomStream random);

    /// <summary>Normal errors.</summary>
    public static PredictionErrorLaw Normal { get; } = Each("normal", NormalLaw.Standard);

    /// <summary>No error, but one of three deviations in 15 % of the cases.</summary>
    public static PredictionErrorLaw RarelyFar { get; } =
        Each(
            "0, in 15 % of the cases 3",
            (ref random) => random.NextDouble() < .15 ? (random.NextDouble() < .5 ? 3 : -3) : 0
        );

    /// <summary>
    /// The laws of an audit. Cases of the last one, and further ones, belong to five clusters at random.
    /// </summary>
    public static IReadOnlyList<PredictionErrorLaw> All { get; } =
    [
        Normal,
        Each("normal, 3 times as far in 15 %", (ref random) => Mixed(.15, 3, ref random)),
        Each("normal, 4 times as far in 10 %", (ref random) => Mixed(.1, 4, ref random)),
        RarelyFar,
        Each(
            "1, in 15 % of the cases 3",
            (ref random) => (random.NextDouble() < .15 ? 3 : 1) * (random.NextDouble() < .5 ? 1 : -1)
        ),
        Student(5),
        Student(2),
        Each("uniform", (ref random) => Math.Sqrt(3) * (2 * random.NextDouble() - 1)),
        Each("proportional to the root of p (1 - p)", NormalLaw.Standard) with
        {
            ShapePower = 1,
        },
        new(
            "clusters",
            (ref random) =>
            {
                var centres = new double[Clusters];
                for (var i = 0; i < Clusters; i++)
                    centres[i] = NormalLaw.Standard(ref random);
                return (ref one) => (centres[one.NextInt(Clusters)] + NormalLaw.Standard(ref one)) / Math.Sqrt(2);
            }
        ),
    ];

    /// <summary>
    /// The power of 4 p (1 - p), the root of it, by which errors are smaller towards 0 and 1; ½ as predictions assume.
    /// </summary>
    public double ShapePower { get; private init; } = .5;

    private static PredictionErrorLaw Each(string name, ErrorDraw draw) => new(name, (ref _) => draw);

    private static PredictionErrorLaw Student(int degrees) =>
        Each(
            $"Student, {degrees} degrees of freedom",
            (ref random) =>
            {
                var squares = 0.0;
                for (var i = 0; i < degrees; i++)
                    squares += Math.Pow(NormalLaw.Standard(ref random), 2);
                return NormalLaw.Standard(ref random) / Math.Sqrt(squares / degrees);
            }
        );

    private static double Mixed(double share, double factor, ref RandomStream random) =>
        NormalLaw.Standard(ref random) * (random.NextDouble() < share ? factor : 1);
}
