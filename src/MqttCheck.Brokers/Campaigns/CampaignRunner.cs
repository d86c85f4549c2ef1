using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Profiles;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>Makes the single runs of a campaign against one broker, and says it in the broker's own words when the broker is what failed.</summary>
internal sealed class CampaignRunner(IBrokerUnderTest broker, CampaignOptions options, IExchangeSink sink)
{
    /// <summary>Makes one run.</summary>
    /// <param name="run">Its number.</param>
    /// <param name="population">Who takes part.</param>
    /// <param name="clients">How many.</param>
    /// <param name="countedSequences">How many sequences of each client count, or null for a run limited by time.</param>
    /// <param name="duration">The time, or null for a run limited by sequences.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the run in order.</param>
    /// <param name="atOnce">Ends it without clean-up.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    public FleetRunResult Run(
        int run, Population population, int clients, int? countedSequences, TimeSpan? duration,
        IProgress<FleetProgress>? progress, CancellationToken orderly, CancellationToken atOnce)
    {
        var setup = new FleetSetup
        {
            Population = population,
            Clients = clients,
            CountedSequences = countedSequences,
            Duration = duration,
            Seed = options.Seed,
            Run = run,
            Endpoint = broker.Endpoint,
            Credentials = broker.Credentials,
            BrokerProcessId = broker.ProcessId,
            ProtocolVersion = options.ProtocolVersion,
            Prefix = string.Create(CultureInfo.InvariantCulture, $"{options.Prefix}{run:D4}/"),
            ExchangeTimeout = options.ExchangeTimeout,
            MaximumRequestsPerSecond = options.MaximumRequestsPerSecond,
        };
        try
        {
            return new FleetRun(setup, sink, progress).Run(orderly, atOnce);
        }
        catch (BrokerException exception) when (broker.Failure is { } failure)
        {
            throw new BrokerException($"{failure}\n{exception.Message}", exception);
        }
    }
}
