using MqttCheck.Broker.Core;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Captures.Replay;
using MqttCheck.Logs;

namespace MqttCheck.Captures.Tests.Replay;

/// <summary>A capture that was sent to an embedded broker.</summary>
internal sealed record Replayed(
    ReplayResult Result,
    IReadOnlyList<Exchange> Exchanges,
    BrokerCounters Left,
    ReplaySurvey Survey
)
{
    /// <summary>Sends a capture, fast unless the change says otherwise.</summary>
    public static async Task<Replayed> OfAsync(byte[] capture, Func<ReplaySetup, ReplaySetup>? change = null)
    {
        var path = Path.GetTempFileName();
        try
        {
            await File.WriteAllBytesAsync(path, capture);
            return await OfFileAsync(path, change);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static async Task<Replayed> OfFileAsync(string path, Func<ReplaySetup, ReplaySetup>? change)
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        var setup = new ReplaySetup
        {
            Capture = new(path, "", "1.2.3"),
            Endpoint = new WireEndpoint(broker.Address),
            Prefix = FleetSetup.NewPrefix(),
            Speed = 10,
        };
        setup = change?.Invoke(setup) ?? setup;
        var survey = ReplaySurvey.Of(setup.Capture);
        var log = new ExchangeList();
        var result = CaptureReplay.Run(
            setup,
            survey,
            log,
            (_, _) => { },
            CancellationToken.None,
            CancellationToken.None
        );
        return new(result, log.Exchanges, await broker.GetCountersAsync(), survey);
    }

    /// <summary>
    /// The exchanges to compare. Who receives a message hangs on whether the broker answers a subscription before it.
    /// </summary>
    public static IEnumerable<string> Lines(IEnumerable<Exchange> exchanges) =>
        exchanges.Select(one => $"{one.Message} {one.MessageSize} bytes, QoS {one.Qos}, {one.Outcome}");
}
