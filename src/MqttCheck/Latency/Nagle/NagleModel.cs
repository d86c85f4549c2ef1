using System.Runtime.CompilerServices;
using MqttCheck.Latency.Features;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Nagle;

/// <summary>
/// A model of what a broker itself takes, together with the deliveries that it keeps back: a publication completes when
/// both are over.
/// </summary>
internal sealed class NagleModel(LatencyModel own, NagleDeliveries held) : LatencyModel
{
    /// <summary>The model without deliveries being kept back.</summary>
    public LatencyModel Own { get; } = own;

    /// <summary>How deliveries are kept back.</summary>
    public NagleDeliveries Held { get; } = held;

    /// <summary>A model without deliveries being kept back, if they are.</summary>
    /// <param name="model">The model.</param>
    public static LatencyModel OwnOf(LatencyModel model) => model is NagleModel { Own: var own } ? own : model;

    /// <inheritdoc/>
    public override string Kind => Own.Kind;

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer) =>
        Own.Use(clients, new Consumer<TResult>(Held, consumer));

    private sealed class Consumer<TResult>(NagleDeliveries held, ILatencyProcessConsumer<TResult> consumer)
        : ILatencyProcessConsumer<TResult>
    {
        public TResult Run<TProcess>(Func<TProcess> create)
            where TProcess : struct, ILatencyProcess => consumer.Run(() => new Process<TProcess>(create(), held));
    }

    private struct Process<TOwn>(TOwn own, NagleDeliveries held) : ILatencyProcess
        where TOwn : struct, ILatencyProcess
    {
        private TOwn _own = own;

        public static bool HasSetUp => TOwn.HasSetUp;

        public static bool HoldsDeliveries => true;

        public readonly bool UsesWithheld => true;

        public readonly NagleDeliveries Held => held;

        public void Reset(ref RandomStream random) => _own.Reset(ref random);

        public LatencyStep SetUp(int client, double nowMilliseconds, ref RandomStream random) =>
            _own.SetUp(client, nowMilliseconds, ref random);

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        ) => _own.Start(client, features, nowMilliseconds, ref random);

        public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random) =>
            _own.Continue(client, nowMilliseconds, ref random);
    }
}
