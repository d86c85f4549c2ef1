using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Simulation;

namespace MqttCheck.Tests.Learning;

/// <summary>
/// Training logs of a broker whose latency process is known, simulated as a live fleet would have run it.
/// </summary>
internal static class SimulatedBroker
{
    /// <summary>The log of a minute of the default training design for up1 and up2.</summary>
    public static ExchangeLog TrainingLog(ulong seed, LatencyModel truth) =>
        TrainingLog(seed, truth, ProfileFile.Read("up1"), ProfileFile.Read("up2"));

    /// <summary>The log of a minute of the default training design for the given usage.</summary>
    public static ExchangeLog TrainingLog(ulong seed, LatencyModel truth, params Population[] targets)
    {
        var cases = TrainingDesign.Doe2(seed, TimeSpan.FromSeconds(60), targets);
        var exchanges = new List<Exchange>();
        foreach (var planned in cases)
        {
            var window = planned.Duration!.Value.TotalMilliseconds;
            var recorder = new Recorder(planned.Run, window, exchanges);
            var sequences = 1 + (int)(window / (10 * planned.Population.Groups[0].Profile.WaitMilliseconds.Mean));
            FleetSimulation.Observe(
                truth,
                new()
                {
                    Population = planned.Population,
                    Clients = planned.Clients,
                    Sequences = sequences,
                    Seed = seed,
                },
                planned.Run,
                ref recorder
            );
        }
        return new()
        {
            Exchanges = [.. exchanges],
            Information = new()
            {
                ToolVersion = "test",
                Seed = seed,
                Started = DateTimeOffset.UnixEpoch,
                Broker = new("simulated", "1", "default", new Dictionary<string, string>()),
                Machine = MachineInformation.Unknown,
                Cases =
                [
                    .. cases.Select(planned => new RunCase
                    {
                        Run = planned.Run,
                        Purpose = RunPurpose.Explore,
                        Clients = planned.Clients,
                        Population = planned.Population,
                    }),
                ],
                Complete = true,
            },
        };
    }

    private struct Recorder(int run, double window, List<Exchange> log) : IFleetObserver
    {
        private readonly Dictionary<int, (ExchangeFeatures Features, long Issue, double Intended)> _open = [];
        private readonly Dictionary<int, double> _begun = [];
        private long _issue;

        public readonly void SetUp(
            int client,
            in ClientAction action,
            double begunMilliseconds,
            double nowMilliseconds
        ) => _begun[client] = begunMilliseconds;

        public void Started(
            int client,
            int sequence,
            in ClientAction action,
            in ExchangeFeatures features,
            double nowMilliseconds
        ) => _open[client] = (features, _issue++, _begun.Remove(client, out var begun) ? begun : nowMilliseconds);

        public readonly void Ended(
            int client,
            int sequence,
            in ClientAction action,
            double startedMilliseconds,
            double nowMilliseconds
        )
        {
            if (startedMilliseconds > window)
                return;
            var (features, issue, intended) = _open[client];
            log.Add(
                new()
                {
                    Message = action.Kind,
                    ActiveMessages = features.Active,
                    TotalSubscriptions = features.TotalSubscriptions,
                    Subscribers = features.Subscribers,
                    Receivers = features.Subscribers,
                    LatencyMilliseconds = nowMilliseconds - startedMilliseconds,
                    Run = run,
                    Client = client,
                    Sequence = sequence,
                    IssueIndex = issue,
                    IntendedMicroseconds = intended * 1000,
                    SentMicroseconds = startedMilliseconds * 1000,
                    EndMicroseconds = nowMilliseconds * 1000,
                    Topic = action.Topic,
                    Qos = action.Qos,
                    Phase = action.Phase,
                    Outcome = ExchangeOutcome.Success,
                }
            );
        }
    }
}
