using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Statistics;

namespace MqttCheck.Benchmarks.Automata;

/// <summary>
/// A latency model of quantile tables by kind, active messages, subscribers and recent activity: what fleet.c
/// implements, draw for draw.
/// </summary>
internal sealed class TableModel : LatencyModel
{
    private const int Quantiles = 256,
        ActiveCells = 20,
        SubscriberCells = 8,
        RecentCells = 7,
        LongestActive = 128,
        LongestSubscribers = 32;
    private static readonly int[] ActiveEdges = [1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 46, 57, 68, 80, 92];
    private static readonly int[] SubscriberEdges = [1, 2, 3, 5, 8, 12, 17];
    private static readonly double[] RecentEdges = [.03, .08, .14, .2, .28, .4];
    private static readonly double[] MedianMilliseconds = [5, 2, 4, 3, 3];

    private readonly byte[] _activeCell = new byte[LongestActive],
        _subscriberCell = new byte[LongestSubscribers];

    public TableModel()
    {
        for (var active = 0; active < LongestActive; active++)
            _activeCell[active] = (byte)ActiveEdges.Count(edge => active >= edge);
        for (var subscribers = 0; subscribers < LongestSubscribers; subscribers++)
            _subscriberCell[subscribers] = (byte)SubscriberEdges.Count(edge => subscribers >= edge);
        var normal = Enumerable
            .Range(0, Quantiles)
            .Select(i => Math.Exp(.4 * MathNet.Numerics.Distributions.Normal.InvCDF(0, 1, (i + .5) / Quantiles)))
            .ToArray();
        Table = new float[MessageKinds.Count * ActiveCells * SubscriberCells * RecentCells * Quantiles];
        for (var cell = 0; cell < Table.Length / Quantiles; cell++)
        {
            var (kind, active) = (
                cell / (RecentCells * SubscriberCells * ActiveCells),
                cell / (RecentCells * SubscriberCells) % ActiveCells
            );
            var (subscribers, recent) = (cell / RecentCells % SubscriberCells, cell % RecentCells);
            var median = MedianMilliseconds[kind] * (1 + .05 * active) * (1 + .1 * subscribers) * (1 + .02 * recent);
            for (var i = 0; i < Quantiles; i++)
                Table[cell * Quantiles + i] = (float)(median * normal[i]);
        }
    }

    public override string Kind => "table";

    public float[] Table { get; }

    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer) =>
        consumer.Run(() => new Process(this));

    private readonly struct Process(TableModel model) : ILatencyProcess
    {
        private readonly float[] _table = model.Table;
        private readonly byte[] _activeCell = model._activeCell,
            _subscriberCell = model._subscriberCell;

        public void Reset(ref RandomStream random) { }

        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            var cell = (int)features.Kind * ActiveCells + _activeCell[Math.Min(features.Active, LongestActive - 1)];
            cell = cell * SubscriberCells + _subscriberCell[Math.Min(features.Subscribers, LongestSubscribers - 1)];
            var band = 0;
            foreach (var edge in RecentEdges)
                band += features.RecentActivity >= edge ? 1 : 0;
            var quantiles = _table.AsSpan((cell * RecentCells + band) * Quantiles, Quantiles);
            var p = Math.Clamp(random.NextDouble() * Quantiles - .5, 0, Quantiles - 1);
            var i = Math.Min((int)p, Quantiles - 2);
            return new(
                nowMilliseconds + (quantiles[i] + (p - i) * ((double)quantiles[i + 1] - quantiles[i])),
                Completes: true
            );
        }

        public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random) =>
            throw new InvalidOperationException("Tables complete an exchange when it starts.");
    }
}
