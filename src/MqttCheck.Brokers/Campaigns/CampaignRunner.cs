using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Logs;
using MqttCheck.Profiles;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>
/// Makes the single runs of a campaign against one broker and keeps their results. If the broker itself failed, the
/// error quotes the broker's own words.
/// </summary>
internal sealed class CampaignRunner(
    IBrokerUnderTest broker,
    CampaignOptions options,
    IExchangeSink sink,
    TimeProvider time
)
{
    /// <summary>The runs that were made.</summary>
    public List<RunCase> Cases { get; } = [];

    public List<FleetRunResult> Results { get; } = [];

    /// <summary>
    /// Asks whether clients may do on the broker what the runs do: before the first run, and after the last, because
    /// rights that were withdrawn meanwhile would make a result of messages that reached nobody.
    /// </summary>
    /// <param name="populations">Who takes part.</param>
    /// <param name="orderly">Gives up, without an exception.</param>
    /// <exception cref="BrokerException">The broker denies something.</exception>
    public void RequireRights(IEnumerable<Population> populations, CancellationToken orderly)
    {
        if (options.Recorded is null)
            options.RequireRights(broker, populations, orderly, isAfterLoad: Results.Count > 0);
    }

    /// <summary>Makes one run.</summary>
    /// <param name="run">Its number.</param>
    /// <param name="purpose">Why it is made.</param>
    /// <param name="population">Who takes part.</param>
    /// <param name="clients">How many.</param>
    /// <param name="countedSequences">
    /// How many sequences of each client count, or null for a run limited by time.
    /// </param>
    /// <param name="duration">The time, or null for a run limited by sequences.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the run in order.</param>
    /// <param name="atOnce">Ends it without clean-up.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    public FleetRunResult Run(
        int run,
        RunPurpose purpose,
        Population population,
        int clients,
        int? countedSequences,
        TimeSpan? duration,
        IProgress<FleetProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        var prefix = string.Create(CultureInfo.InvariantCulture, $"{options.Prefix}{run:D4}/");
        var setup = FleetSetup.For(broker, population, clients, prefix) with
        {
            CountedSequences = countedSequences,
            Duration = duration,
            Seed = options.Seed,
            Run = run,
            ProtocolVersion = options.ProtocolVersion,
            Client = options.Client,
            ExchangeTimeout = options.ExchangeTimeout,
            MaximumRequestsPerSecond = options.MaximumRequestsPerSecond,
        };
        var started = time.GetUtcNow();
        try
        {
            var result = options.Recorded?.Invoke(setup) ?? options.Fleets.Run(setup, sink, progress, orderly, atOnce);
            Results.Add(result);
            Cases.Add(
                new()
                {
                    Run = run,
                    Purpose = purpose,
                    Clients = clients,
                    Population = population,
                    Duration = duration,
                    MessagesPerClient = countedSequences * population.Groups.Max(group => group.Profile.SequenceLength),
                    Started = started,
                    Ended = started + result.Duration,
                    Complete = !result.Interrupted,
                    Health = result.Health,
                    WarmUp = result.WarmUp,
                }
            );
            return result;
        }
        catch (BrokerException exception) when (broker.Failure is { } failure)
        {
            throw new BrokerException($"{failure}\n{exception.Message}", exception);
        }
    }
}
