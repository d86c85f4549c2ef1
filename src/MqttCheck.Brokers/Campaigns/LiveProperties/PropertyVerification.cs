using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;

namespace MqttCheck.Brokers.Campaigns.LiveProperties;

/// <summary>
/// Tests a property on a live broker: run after run until there is a verdict or the time ends. A run that is invalid, because the generator was late or
/// overloaded, does not count; another is made in its place, as long as fewer runs are invalid than count.
/// </summary>
public sealed class PropertyVerification
{
    private const int LeastRuns = 3;

    private readonly IBrokerUnderTest _broker;
    private readonly CampaignOptions _options;
    private readonly TimeProvider _time;

    /// <summary>A verification on a broker.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="options">How to load it.</param>
    /// <param name="time">The clock that dates the runs and measures the budget.</param>
    public PropertyVerification(IBrokerUnderTest broker, CampaignOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(broker);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        (_broker, _options, _time) = (broker, options, time);
    }

    /// <summary>Whether a run can be used; replaced where the state of the machine must not matter.</summary>
    internal Func<RunHealth, bool> IsValid { get; init; } = health => health.IsValid;

    /// <summary>Makes the runs.</summary>
    /// <param name="test">The test.</param>
    /// <param name="population">Who the clients are and what they do.</param>
    /// <param name="clients">How many.</param>
    /// <param name="countedSequences">How many sequences of each client count in a run.</param>
    /// <param name="budget">No run begins that would end later, were it as long as the longest so far; three are always made.</param>
    /// <param name="sink">Where the exchanges go.</param>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="orderly">Ends the verification in order: what has been counted is kept.</param>
    /// <param name="atOnce">Ends it without clean-up on the broker.</param>
    /// <exception cref="BrokerException">The broker cannot be reached, or ended.</exception>
    public PropertyVerificationResult Run(
        LivePropertyTest test,
        Population population,
        int clients,
        int countedSequences,
        TimeSpan budget,
        IExchangeSink sink,
        IProgress<CampaignProgress>? progress,
        CancellationToken orderly,
        CancellationToken atOnce
    )
    {
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(population);
        ArgumentNullException.ThrowIfNull(sink);
        var kept = new KeptExchanges(sink);
        var runner = new CampaignRunner(_broker, _options, kept, _time);
        var began = _time.GetTimestamp();
        var longest = TimeSpan.Zero;
        var (counted, invalid) = (0, 0);
        while (
            !orderly.IsCancellationRequested
            && !(test.IsOver && invalid < Math.Max(counted, 1))
            && invalid < Math.Max(test.Plan.FirstMetLook, LeastRuns)
            && (counted + invalid < LeastRuns || _time.GetElapsedTime(began) + longest <= budget)
        )
        {
            var number = counted + invalid;
            var name = string.Create(
                CultureInfo.InvariantCulture,
                $"run {number + 1} of about {test.Plan.Runs}, {population.Name}, {clients} clients"
            );
            progress?.Report(new(Math.Min(1, (double)number / test.Plan.Runs), name));
            var clock = _time.GetTimestamp();
            var result = runner.Run(
                number,
                RunPurpose.Verify,
                population,
                clients,
                countedSequences,
                null,
                null,
                orderly,
                atOnce
            );
            if (_time.GetElapsedTime(clock) is var took && took > longest)
                longest = took;
            var exchanges = kept.Take();
            if (!IsValid(result.Health))
            {
                invalid++;
                continue;
            }
            counted++;
            var latest = test.AddRun(test.Property.Judge(exchanges));
            progress?.Report(new(Math.Min(1, (double)number / test.Plan.Runs), $"{name}: {latest.Seen}"));
        }
        return new(
            test.Result,
            runner.Cases,
            runner.Results,
            _time.GetElapsedTime(began),
            invalid > 0 && invalid >= counted,
            orderly.IsCancellationRequested
        );
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
