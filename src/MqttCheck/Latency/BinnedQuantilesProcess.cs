using System.Runtime.CompilerServices;
using MqttCheck.Clients;
using MqttCheck.Statistics;

namespace MqttCheck.Latency;

/// <summary>Draws latencies from the tables of a <see cref="BinnedQuantilesModel"/>. Without state of its own: copies and threads may share it.</summary>
public readonly struct BinnedQuantilesProcess : ILatencyProcess
{
    private readonly TablePlace[] _cells;
    private readonly float[] _knots;

    internal BinnedQuantilesProcess(TablePlace[] cells, float[] knots) => (_cells, _knots) = (cells, knots);

    /// <inheritdoc/>
    public void Reset()
    {
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The model has never seen this kind of message.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LatencyStep Start(int client, in ExchangeFeatures features, double nowMilliseconds, ref RandomStream random)
    {
        ref readonly var place = ref _cells[FeatureBins.CellOf(features)];
        if (place.BodyScale == 0) throw Unknown(features.Kind);
        var u = random.NextDouble();
        var position = u < place.Split ? u * place.BodyScale : place.Body + (u - place.Split) * place.TailScale;
        var i = (int)position;
        var knots = _knots.AsSpan(place.Offset + i, 2);
        return new(nowMilliseconds + knots[0] + (position - i) * (knots[1] - knots[0]), Completes: true);
    }

    /// <inheritdoc/>
    public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random) => new(nowMilliseconds, Completes: true);

    private static InvalidOperationException Unknown(MessageKind kind) =>
        new($"The latency model was learned without a {kind.Name()} message, so it cannot predict one.");
}
