using MqttCheck.Clients;
using MqttCheck.Health;
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
/// </remarks>
public sealed class WarmUpDetector
{
    private const int MostBatches = 128;
    private const double ShortestLatencyMilliseconds = 1e-3;

    private readonly Series _publications = new();
    private readonly Series _all = new();

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
        _all.Add(logarithm, endSeconds);
        if (publication)
            _publications.Add(logarithm, endSeconds);
    }

    /// <summary>What the latencies so far say.</summary>
    public WarmUp Find() => _publications.Batches >= MostBatches / 2 ? _publications.Find() : _all.Find();

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
