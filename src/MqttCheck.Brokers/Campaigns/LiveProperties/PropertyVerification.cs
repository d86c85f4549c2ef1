using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Brokers.Campaigns.LiveProperties;

/// <summary>
/// Tests a property on a live broker, with a <see cref="RunLoop{TRun}"/>: run after run until there is a verdict or the
/// time ends.
/// </summary>
/// <param name="broker">The broker, running.</param>
/// <param name="options">How to load it.</param>
/// <param name="time">The clock that dates the runs and measures the budget.</param>
internal sealed class PropertyVerification(IBrokerUnderTest broker, CampaignOptions options, TimeProvider time)
{
    /// <summary>Whether a run can be used; given where the state of the machine must not matter.</summary>
    internal Func<RunHealth, bool>? IsValid { get; init; }

    /// <summary>Makes the runs.</summary>
    /// <param name="test">The test.</param>
    /// <param name="population">Who the clients are and what they do.</param>
    /// <param name="clients">How many.</param>
    /// <param name="countedSequences">How many sequences of each client count in a run.</param>
    /// <param name="budget">
    /// How long the runs may take, see <see cref="TimeBudget"/>.
    /// </param>
    /// <param name="sink">Receives the exchanges.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the verification in order: what has been counted is kept.</param>
    /// <param name="atOnce">Ends it without clean-up on the broker.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    public PropertyVerificationResult Run(
        LivePropertyTest test,
        Population population,
        int clients,
        int countedSequences,
        TimeBudget budget,
        IExchangeSink sink,
        IProgress<CampaignProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        var kept = new KeptExchanges(sink);
        var runner = new CampaignRunner(broker, options, kept, time);
        runner.RequireRights([population], orderly);
        var name = "";
        List<Exchange> latest = [];
        var series = new LivePropertySeries<FleetRunResult>(test, Make, _ => latest)
        {
            Added = (result, share) => progress?.Report(new(share, $"{name}: {result.Seen}")),
        };
        var loop = new RunLoop<FleetRunResult>([series], budget, time) { IsValid = IsValid };
        var tally = loop.Run(orderly)[0];
        runner.RequireRights([population], orderly);
        return new(series.Conclude(tally), runner.Cases, runner.Results, tally.Spent, orderly.IsCancellationRequested);

        FleetRunResult Make(RunTurn turn)
        {
            name = string.Create(
                CultureInfo.InvariantCulture,
                $"run {turn.Index + 1} of about {test.Plan.Runs}, {population.Name}, {clients} clients"
            );
            progress?.Report(new(turn.ShareDone, name));
            var result = runner.Run(
                turn.Number,
                RunPurpose.Verify,
                population,
                clients,
                countedSequences,
                null,
                null,
                orderly,
                atOnce
            );
            latest = kept.Take();
            return result;
        }
    }

    // Passes the exchanges of a run on and keeps them until the run is judged.
    private sealed class KeptExchanges(IExchangeSink sink) : IExchangeSink
    {
        private List<Exchange> _exchanges = new(4096);

        public void Append(in Exchange exchange)
        {
            sink.Append(exchange);
            _exchanges.Add(exchange);
        }

        public List<Exchange> Take()
        {
            var taken = _exchanges;
            _exchanges = new(taken.Count);
            return taken;
        }
    }
}
