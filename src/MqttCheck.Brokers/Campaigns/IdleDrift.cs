using System.Globalization;
using MqttCheck.Brokers.Fleets.Probes;
using MqttCheck.Brokers.Processes;
using MqttCheck.Profiles;

namespace MqttCheck.Brokers.Campaigns;

/// <summary>
/// Whether broker and machine are still as fast as when a model was learned: the latency of the idle broker, then and
/// now.
/// </summary>
internal static class IdleDrift
{
    /// <summary>
    /// A change by more than this share makes a model doubtful: an error of 5 % in what a message costs moves a
    /// probability under load by about .06.
    /// </summary>
    public const double Largest = .1;

    private const int Samples = 120;

    /// <summary>Measures the idle latency of a broker; a few seconds at most.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="campaign">The beginning of the topics, and the protocol.</param>
    /// <param name="populations">Who takes part in the campaign; all must be allowed to do what they do.</param>
    /// <param name="cancellation">Ends the measurement early.</param>
    /// <exception cref="BrokerException">
    /// The broker cannot be reached, fails to answer, or denies what the campaign does.
    /// </exception>
    public static IdleLatency Measure(
        IBrokerUnderTest broker,
        CampaignOptions campaign,
        IReadOnlyList<Population> populations,
        CancellationToken cancellation
    )
    {
        campaign.RequireRights(broker, populations, cancellation);
        return new IdleProbe(broker.Endpoint, broker.Credentials, campaign.Prefix + "idle/", Samples)
        {
            TopicPrefix = broker.TopicPrefix,
            TopicName = populations[0].Groups[0].Profile.TopicName,
            ProtocolVersion = campaign.ProtocolVersion,
            Client = campaign.Client,
        }.Run(cancellation);
    }

    /// <summary>
    /// Says that the idle latency has moved, if it has: by more than <see cref="Largest"/>, and by more than two
    /// medians of such samples differ by chance.
    /// </summary>
    /// <param name="thenMilliseconds">The median before training; null where it was not measured.</param>
    /// <param name="now">The latency now.</param>
    /// <returns>A sentence for people with the way to refresh the model, or null.</returns>
    public static string? Describe(double? thenMilliseconds, IdleLatency now)
    {
        var nowMilliseconds = now.MedianMilliseconds;
        if (thenMilliseconds is not > 0 || !(nowMilliseconds > 0))
            return null;
        var change = nowMilliseconds / thenMilliseconds.Value - 1;
        // Both medians are uncertain, the earlier one about as much as this one.
        var chance =
            Math.Sqrt(2)
            * Math.Max(now.MedianUpperMilliseconds - nowMilliseconds, nowMilliseconds - now.MedianLowerMilliseconds);
        return Math.Abs(change) <= Largest || Math.Abs(nowMilliseconds - thenMilliseconds.Value) <= chance
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"The idle broker takes {nowMilliseconds:G3} ms, {change:+0 %;-0 %} from the "
                    + $"{thenMilliseconds:G3} ms before training: the model may be out of date. Refresh it: "
                    + $"'mqttcheck verify --refresh 60s' explores, learns and predicts again first."
            );
    }
}
