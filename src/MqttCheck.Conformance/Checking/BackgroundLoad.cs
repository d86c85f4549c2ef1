using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Conformance.Checking;

/// <summary>A load of a bench or a fleet, on an event loop and a thread of its own.</summary>
internal sealed class BackgroundLoad(string name, Action<CancellationToken, Action> run) : IBackgroundLoad
{
    // A pair of clients for so many messages per second.
    private const double MessagesOfPair = 100;
    private const int MostPairs = 100;
    private static readonly TimeSpan s_startPatience = TimeSpan.FromSeconds(20);
    private Action? _end;

    /// <inheritdoc/>
    public string Name { get; } = name;

    /// <summary>Messages at a constant rate, QoS 1, each from one publisher to one subscriber.</summary>
    /// <param name="target">The broker.</param>
    /// <param name="messagesPerSecond">How many messages per second, above 0.</param>
    /// <param name="seed">The seed of what is random in it.</param>
    public static BackgroundLoad Messages(CheckTarget target, double messagesPerSecond, ulong seed)
    {
        var pairs = Math.Clamp((int)(messagesPerSecond / MessagesOfPair), 1, MostPairs);
        var setup = new LoadSetup
        {
            Workload = new Workload
            {
                Name = "load",
                Publishers = pairs,
                Subscribers = pairs,
                MessagesPerSecond = messagesPerSecond,
                WarmUp = LoadWarmUp.Lasting(TimeSpan.Zero),
                Duration = TimeSpan.FromDays(1),
            },
            Endpoint = target.Endpoint,
            Credentials = target.Credentials,
            Prefix = FleetSetup.NewPrefix(),
            TopicPrefix = target.TopicPrefix,
            Seed = seed,
        };
        return new(
            FormattableString.Invariant($"{messagesPerSecond:0.##}"),
            (stop, begun) =>
                new LoadRun(
                    setup,
                    null,
                    TimeProvider.System,
                    new Relay<LoadProgress>(progress =>
                    {
                        if (progress.Phase == LoadPhase.Sending)
                            begun();
                    })
                ).Run(stop)
        );
    }

    /// <summary>Clients of a usage profile.</summary>
    /// <param name="target">The broker.</param>
    /// <param name="name">Its name on the command line.</param>
    /// <param name="population">Who the clients are and what they do.</param>
    /// <param name="clients">How many there are, 1 .. 20 000.</param>
    /// <param name="seed">The seed of everything that the clients choose.</param>
    public static BackgroundLoad Clients(
        CheckTarget target,
        string name,
        Population population,
        int clients,
        ulong seed
    )
    {
        var setup = new FleetSetup
        {
            Population = population,
            Clients = clients,
            Duration = TimeSpan.FromDays(1),
            Endpoint = target.Endpoint,
            Credentials = target.Credentials,
            Prefix = FleetSetup.NewPrefix(),
            TopicPrefix = target.TopicPrefix,
            Seed = seed,
        };
        return new(
            name,
            (stop, begun) => new FleetRun(setup, new NoLog(), new Relay<FleetProgress>(_ => begun())).Run(stop)
        );
    }

    /// <inheritdoc/>
    public void Start()
    {
        var stop = new CancellationTokenSource();
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var token = stop.Token;
        var running = Task.Run(() => run(token, () => begun.TrySetResult()), CancellationToken.None);
        _end = () =>
        {
            stop.Cancel();
            try
            {
                running.GetAwaiter().GetResult();
            }
            catch (BrokerException)
            {
                // A broker that failed under the load is found by the check itself.
            }
            stop.Dispose();
        };
        if (Task.WaitAny([begun.Task, running], s_startPatience) == 1)
            running.GetAwaiter().GetResult();
    }

    /// <inheritdoc/>
    public void Stop()
    {
        _end?.Invoke();
        _end = null;
    }
}
