namespace MqttCheck.Latency.Quality;

/// <summary>
/// The relevance of each point of the replayed cases for a load and a threshold. The errors of a case at neighbouring
/// thresholds are alike. So a case counts as much as its nearest point, however many others it has.
/// </summary>
internal sealed class ReplayRelevance
{
    // A factor of this in the mean number of other open exchanges, or in the threshold, makes a comparison half as
    // relevant.
    private const double ActiveBandwidth = 3;
    private const double ThresholdBandwidth = 5;

    // Each regime is given one case's worth of the comparisons of all regimes, so that two lucky cases do not promise
    // accuracy.
    private const double Shrinkage = 1;

    private readonly double[] _company;
    private readonly double _thresholdMilliseconds;
    private readonly ReplayedPoint[][] _points;

    /// <summary>The relevance for a threshold.</summary>
    /// <param name="cases">The cases.</param>
    /// <param name="thresholdMilliseconds">The threshold, positive.</param>
    public ReplayRelevance(IReadOnlyList<ReplayedCase> cases, double thresholdMilliseconds)
    {
        // If no case has a threshold above the resolution, the thresholds below are the only knowledge.
        var least =
            thresholdMilliseconds >= ReplayQuality.ResolutionMilliseconds
            && cases.Any(replayed =>
                replayed.Points.Any(point => point.ThresholdMilliseconds >= ReplayQuality.ResolutionMilliseconds)
            )
                ? ReplayQuality.ResolutionMilliseconds
                : 0;
        // A case without such a point says nothing.
        ReplayedCase[] counted =
        [
            .. cases.Where(replayed => replayed.Points.Any(point => point.ThresholdMilliseconds >= least)),
        ];
        _company = Array.ConvertAll(counted, replayed => Company(replayed.MeanActive));
        _points = Array.ConvertAll(
            counted,
            replayed => replayed.Points.Where(point => point.ThresholdMilliseconds >= least).ToArray()
        );
        _thresholdMilliseconds = thresholdMilliseconds;
        Points = [.. _points.SelectMany(points => points)];
        Nearest = Array.ConvertAll(_points, NearestOf);
    }

    /// <summary>The points that count, case by case.</summary>
    public IReadOnlyList<ReplayedPoint> Points { get; }

    /// <summary>The point of each case that is nearest to the threshold.</summary>
    public IReadOnlyList<ReplayedPoint> Nearest { get; }

    /// <summary>The weights of <see cref="Points"/> at a load.</summary>
    /// <param name="meanActive">Mean of the open exchanges at the start of an exchange.</param>
    public double[] Weights(double meanActive) => Weights(Company(meanActive), _thresholdMilliseconds, own: null);

    /// <summary>
    /// The weights of <see cref="Points"/> for what is said of one of the cases. It counts itself as much as another
    /// does in the mean: so much do the cases count for a new one.
    /// </summary>
    /// <param name="own">The number of the case, as in <see cref="Nearest"/>.</param>
    public double[] WeightsFor(int own) => Weights(_company[own], Nearest[own].ThresholdMilliseconds, own);

    /// <summary>
    /// Pairs of cases that lie about as far apart as two loads: the case with the next but so many higher load, so that
    /// the mean distance of such pairs reaches that of the loads. Null where no such pairs do.
    /// </summary>
    /// <param name="first">Mean of the open exchanges at one load.</param>
    /// <param name="second">The same at the other load.</param>
    public IReadOnlyList<(ReplayedPoint Lower, ReplayedPoint Upper)>? PairsAsFarApart(double first, double second)
    {
        var asked = Math.Abs(Math.Log(Company(first) / Company(second)));
        int[] order = [.. Enumerable.Range(0, _company.Length).OrderBy(one => _company[one])];
        // Pairs of more than half of the cases apart are too few to show a law.
        for (var lag = 1; lag <= order.Length / 2; lag++)
        {
            var pairs = order.Zip(order.Skip(lag)).ToArray();
            if (pairs.Average(pair => Math.Log(_company[pair.Second] / _company[pair.First])) >= asked)
                return [.. pairs.Select(pair => (Nearest[pair.First], Nearest[pair.Second]))];
        }
        return null;
    }

    private double[] Weights(double company, double thresholdMilliseconds, int? own)
    {
        var near = Array.ConvertAll(
            _points,
            points =>
                Array.ConvertAll(
                    points,
                    point =>
                        Math.Pow(2, -Distance(point.ThresholdMilliseconds, thresholdMilliseconds, ThresholdBandwidth))
                )
        );
        var relevances = new double[_points.Length];
        for (var i = 0; i < relevances.Length; i++)
            relevances[i] = Math.Pow(2, -Distance(_company[i], company, ActiveBandwidth)) * near[i].Max();
        if (own is { } one)
            relevances[one] =
                relevances.Length == 1 ? 0 : (relevances.Sum() - relevances[one]) / (relevances.Length - 1);
        var weights = new double[Points.Count];
        var at = 0;
        for (var i = 0; i < _points.Length; i++)
        {
            var sum = near[i].Sum();
            foreach (var nearness in near[i])
                weights[at++] = relevances[i] * nearness / sum + Shrinkage / _points.Length / _points[i].Length;
        }
        return weights;
    }

    private ReplayedPoint NearestOf(ReplayedPoint[] points) =>
        points.MinBy(point => Distance(point.ThresholdMilliseconds, _thresholdMilliseconds, ThresholdBandwidth))!;

    // The distance is logarithmic in the number of other open exchanges, so that 1.1 and 2 differ as much as 2 and 11.
    // A tenth is added, because all nearly idle brokers are alike.
    private static double Company(double meanActive) => Math.Max(0, meanActive - 1) + 0.1;

    private static double Distance(double one, double other, double bandwidth)
    {
        var steps = Math.Log(one / other) / Math.Log(bandwidth);
        return steps * steps;
    }
}
