using System.Diagnostics;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Logs;

/// <summary>
/// Watches the exchanges of one run in the order in which they end and finds when its latencies became stationary, in
/// constant memory: the series of their logarithms is reduced to between 64 and 128 means of batches of equally many
/// exchanges, which <see cref="ChangePoints"/> judges.
/// </summary>
/// <remarks>
/// Publications alone are watched, the exchanges whose latency follows the load, unless there are too few of them; then
/// every kind is. Resets do not count. A batch lasts much longer than an exchange, so that the means of batches depend
/// on each other but little.
/// If the load has stages, each stage is judged by itself, its returns together; a ramp-up is not judged.
/// </remarks>
/// <param name="stages">When which stage is; null where there is but one.</param>
internal sealed class WarmUpDetector(StageClock? stages = null)
{
    private const int MostBatches = 128;
    private const double ShortestLatencyMilliseconds = 1e-3;

    private readonly Dictionary<long, Stage> _stages = [];
    private readonly Stage _only = new();

    /// <summary>Takes an ended exchange.</summary>
    /// <param name="exchange">The exchange; only a successful one counts.</param>
    public void Add(in Exchange exchange)
    {
        if (exchange.Outcome != ExchangeOutcome.Success || exchange.Phase == ExchangePhase.Reset)
            return;
        Add(exchange.LatencyMilliseconds, exchange.EndMicroseconds / 1e6, exchange.Message == MessageKind.Publish);
    }

    /// <summary>Takes a latency.</summary>
    /// <param name="latencyMilliseconds">The latency.</param>
    /// <param name="endSeconds">When it ended, since the start of the run.</param>
    /// <param name="publication">Whether it is that of a publication.</param>
    public void Add(double latencyMilliseconds, double endSeconds, bool publication)
    {
        var logarithm = Math.Log(Math.Max(latencyMilliseconds, ShortestLatencyMilliseconds));
        if (StageAt(endSeconds) is { } stage)
            stage.Add(logarithm, endSeconds, publication);
    }

    /// <summary>
    /// Judges the latencies so far. With stages it says that some stage never became stationary, or since when the
    /// first one is.
    /// </summary>
    public WarmUp Find()
    {
        if (stages is null)
            return _only.Find();
        var found = _stages.Values.Select(stage => stage.Find()).ToArray();
        return found
            .OrderBy(warmUp =>
                warmUp.State switch
                {
                    StationarityState.Never => 0,
                    StationarityState.Reached => 1,
                    StationarityState.Unknown => 2,
                    _ => throw new UnreachableException(),
                }
            )
            .Append(WarmUp.Unknown)
            .First();
    }

    // Null in a ramp-up.
    private Stage? StageAt(double seconds)
    {
        if (stages is null)
            return _only;
        var number = stages.StageAt(seconds);
        if (number == StageClock.RampUpStage)
            return null;
        var stage = _stages.GetOrNew(number);
        return stage;
    }

    private sealed class Stage
    {
        private readonly Series _publications = new();
        private readonly Series _all = new();

        public void Add(double logarithm, double endSeconds, bool publication)
        {
            _all.Add(logarithm, endSeconds);
            if (publication)
                _publications.Add(logarithm, endSeconds);
        }

        public WarmUp Find() => _publications.Batches >= MostBatches / 2 ? _publications.Find() : _all.Find();
    }

    private sealed class Series
    {
        private readonly double[] _sums = new double[MostBatches];
        private readonly double[] _ends = new double[MostBatches];
        private int _batchSize = 1;
        private int _inBatch;
        private double _sum,
            _end;

        public int Batches { get; private set; }

        public void Add(double value, double endSeconds)
        {
            _sum += value;
            _end = endSeconds;
            if (++_inBatch < _batchSize)
                return;
            if (Batches == MostBatches)
                Halve();
            if (_inBatch < _batchSize)
                return;
            (_sums[Batches], _ends[Batches]) = (_sum, _end);
            Batches++;
            (_sum, _inBatch) = (0, 0);
        }

        public WarmUp Find()
        {
            var means = new double[Batches];
            for (var batch = 0; batch < means.Length; batch++)
                means[batch] = _sums[batch] / _batchSize;
            var found = ChangePoints.Find(means);
            return found.State == StationarityState.Reached
                ? new(found.State, found.Since == 0 ? 0 : _ends[found.Since - 1])
                : new(found.State, double.NaN);
        }

        private void Halve()
        {
            Batches /= 2;
            for (var batch = 0; batch < Batches; batch++)
                (_sums[batch], _ends[batch]) = (_sums[2 * batch] + _sums[2 * batch + 1], _ends[2 * batch + 1]);
            _batchSize *= 2;
        }
    }
}
