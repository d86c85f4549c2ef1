using System.Diagnostics;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Signals;

namespace MqttCheck.Brokers.Fleets;

/// <summary>Tells listeners of a fleet's run: the run as a span, and each exchange as a duration.</summary>
internal static class FleetSignals
{
    /// <summary>Makes a run, and tells of it where anybody listens.</summary>
    public static FleetRunResult Run(FleetSetup setup, IExchangeSink sink, Func<IExchangeSink, FleetRunResult> run)
    {
        if (!Instruments.AreHeard)
            return run(sink);
        using var span = Instruments.Source.StartActivity("run");
        span?.SetTag("mqttcheck.run", setup.Run)
            .SetTag("mqttcheck.profile", setup.Population.Name)
            .SetTag("mqttcheck.clients", setup.Clients)
            .SetTag("server.address", setup.Endpoint.Address.Address.ToString())
            .SetTag("server.port", setup.Endpoint.Address.Port);
        var kept = new KeptSink(sink);
        var result = run(kept);
        span?.SetTag("mqttcheck.exchanges", result.Exchanges)
            .SetTag("mqttcheck.failed", result.Failed)
            .SetTag("mqttcheck.lost", result.Lost)
            .SetTag("mqttcheck.valid", result.Health.IsValid);
        if (result.FirstFailures is [var failure, ..])
            span?.SetStatus(ActivityStatusCode.Error, failure);
        Record(setup, result, kept.Exchanges);
        return result;
    }

    private static void Record(FleetSetup setup, FleetRunResult result, List<Exchange> exchanges)
    {
        var shared = new MessagingTags(setup.Endpoint, setup.Population.Name, setup.Clients);
        foreach (var exchange in exchanges)
        {
            if (exchange.Outcome == ExchangeOutcome.Cancelled)
                continue;
            var isPublication = exchange.Message == MessageKind.Publish;
            var operation = shared.Of(exchange.Message.Name());
            if (exchange.Outcome != ExchangeOutcome.Success)
            {
                operation.Add("error.type", ErrorType(exchange.Outcome));
                Add(Instruments.Operations, exchange.EndMicroseconds - exchange.SentMicroseconds, operation);
                continue;
            }
            Add(Instruments.Operations, exchange.AcknowledgedMicroseconds - exchange.SentMicroseconds, operation);
            if (isPublication)
                Add(Instruments.Deliveries, exchange.LastDeliveryMicroseconds - exchange.SentMicroseconds, operation);
        }
        var publish = shared.Of(MessageKind.Publish.Name());
        Instruments.Sent.Add(result.Publications, publish);
        Instruments.Consumed.Add(result.Deliveries, publish);
    }

    // A publication of QoS 0 has no acknowledgement, and one without a subscriber no delivery.
    private static void Add(System.Diagnostics.Metrics.Histogram<double> histogram, double microseconds, TagList tags)
    {
        if (double.IsFinite(microseconds))
            histogram.Record(microseconds / 1e6, tags);
    }

    private static string ErrorType(ExchangeOutcome outcome) =>
        outcome switch
        {
            ExchangeOutcome.Timeout => "timeout",
            ExchangeOutcome.ConnectionLost => "connection_lost",
            ExchangeOutcome.Refused => "refused",
            ExchangeOutcome.Violation => "violation",
            ExchangeOutcome.Success or ExchangeOutcome.Cancelled => throw new UnreachableException(),
            _ => throw new UnreachableException(),
        };

    // Telling listeners after the run takes no time of the run.
    private sealed class KeptSink(IExchangeSink sink) : IExchangeSink
    {
        public List<Exchange> Exchanges { get; } = [];

        public void Append(in Exchange exchange)
        {
            Exchanges.Add(exchange);
            sink.Append(exchange);
        }
    }
}
