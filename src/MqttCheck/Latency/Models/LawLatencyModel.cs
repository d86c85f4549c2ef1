using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Latency.Models;

/// <summary>
/// A latency model that a user states rather than learns: one law per kind of message, whatever the load. Latencies are
/// in milliseconds.
/// </summary>
internal sealed class LawLatencyModel : LatencyModel
{
    private readonly Law[] _laws;

    /// <summary>A model with one law for every kind.</summary>
    /// <param name="law">The law of all latencies, in milliseconds.</param>
    public LawLatencyModel(Law law)
        : this(_ => law) { }

    /// <summary>A model with a law per kind.</summary>
    /// <param name="lawOf">The law of the latencies of a kind, in milliseconds; asked once per kind.</param>
    public LawLatencyModel(Func<MessageKind, Law> lawOf)
    {
        _laws = [.. Enumerable.Range(0, MessageKinds.Count).Select(kind => lawOf((MessageKind)kind))];
    }

    /// <inheritdoc/>
    public override string Kind => "laws";

    /// <summary>The law of a kind's latencies, in milliseconds.</summary>
    /// <param name="kind">A defined kind.</param>
    public Law Of(MessageKind kind) => _laws[(int)kind];

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        return consumer.Run(() => new Process(_laws));
    }

    private readonly struct Process(Law[] laws) : ILatencyProcess
    {
        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        ) => new(nowMilliseconds + laws[(int)features.Kind].Draw(ref random), Completes: true);
    }
}
