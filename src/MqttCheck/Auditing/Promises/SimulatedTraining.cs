using MqttCheck.Latency.Quality;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// Replayed cases whose errors follow a known law, and one further error. Cases are like those of a minute of training
/// on Mosquitto and the embedded broker: loads over a decade, six thresholds over two, a sampling error as of 150
/// independent sequences that differs little from one threshold to the next, and one error of the model at all of them.
/// </summary>
internal sealed class SimulatedTraining
{
    private const double Sequences = 150;

    private static readonly double[] s_probabilities = [.3, .5, .7, .85, .95, .99];

    private readonly ReplayErrorLaw _errors;
    private readonly double _error,
        _shape;

    /// <summary>Draws a training.</summary>
    /// <param name="law">The law of the errors.</param>
    /// <param name="deviation">The deviation that it is in units of, at a probability of .5.</param>
    /// <param name="cases">The number of replayed cases, 1 or more.</param>
    /// <param name="random">The source of randomness.</param>
    public SimulatedTraining(PredictionErrorLaw law, double deviation, int cases, ref RandomStream random)
    {
        var draw = law.Begin(ref random);
        var replayed = new ReplayedCase[cases];
        for (var i = 0; i < cases; i++)
            replayed[i] = Case(law, deviation * draw(ref random), ref random);
        // The further case is measured so long that sampling leaves nothing to chance.
        var further = Case(law, 0, ref random);
        var point = further.Points[random.NextInt(further.Points.Count)];
        _shape = ReplayQuality.Shape(point.Observed);
        _error = Math.Abs(deviation * draw(ref random)) * Math.Pow(_shape, law.ShapePower);
        _errors = new ReplayQuality(0, replayed).ErrorsAt(further.MeanActive, point.ThresholdMilliseconds);
    }

    /// <summary>Whether the interval of the further prediction holds the truth.</summary>
    /// <param name="level">The level of the interval.</param>
    public bool Holds(double level) => Content <= _errors.LawLevel(level);

    /// <summary>
    /// The probability that the law of the errors alone gives to an interval that just holds the truth.
    /// </summary>
    public double Content => _errors.Within(_error, _shape, 0);

    private static ReplayedCase Case(PredictionErrorLaw law, double error, ref RandomStream random)
    {
        var active = 1 + .05 * Math.Pow(200, random.NextDouble());
        var fastest = Math.Pow(10, random.NextDouble());
        var sampling = NormalLaw.Standard(ref random);
        var points = new List<ReplayedPoint>();
        foreach (var probability in s_probabilities)
        {
            sampling = .8 * sampling + .6 * NormalLaw.Standard(ref random);
            var noise = Math.Sqrt(probability * (1 - probability) / Sequences);
            points.Add(
                new(
                    fastest * Math.Pow(2.5, points.Count),
                    probability,
                    error * Math.Pow(ReplayQuality.Shape(probability), law.ShapePower) + noise * sampling,
                    noise
                )
            );
        }
        return new(50, 1000, active, active, points);
    }
}
