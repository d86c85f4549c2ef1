using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Simulation;

namespace MqttCheck.Properties.Traces;

/// <summary>Keeps the counted messages of each client of a simulated fleet.</summary>
internal readonly struct TraceCollector : IFleetObserver
{
    private readonly (int Active, int Subscribers)[] _open;

    public TraceCollector(int clients)
    {
        _open = new (int, int)[clients];
        Traces = [.. Enumerable.Range(0, clients).Select(_ => new List<TraceMessage>())];
    }

    public List<TraceMessage>[] Traces { get; }

    public void SetUp(int client, in ClientAction action, double begunMilliseconds, double nowMilliseconds) { }

    public void Started(
        int client,
        int sequence,
        in ClientAction action,
        in ExchangeFeatures features,
        double nowMilliseconds
    ) => _open[client] = (features.Active, features.Subscribers);

    public void Ended(
        int client,
        int sequence,
        in ClientAction action,
        double startedMilliseconds,
        double nowMilliseconds
    )
    {
        if (action.Phase != ExchangePhase.Counted)
            return;
        Traces[client]
            .Add(
                new()
                {
                    Kind = action.Kind,
                    SentMilliseconds = startedMilliseconds,
                    EndMilliseconds = nowMilliseconds,
                    LatencyMilliseconds = nowMilliseconds - startedMilliseconds,
                    AcknowledgementMilliseconds = double.NaN,
                    Active = _open[client].Active,
                    Subscribers = _open[client].Subscribers,
                    PayloadBytes = action.PayloadBytes,
                }
            );
    }
}
