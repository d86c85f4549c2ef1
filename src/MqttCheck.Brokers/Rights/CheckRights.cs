using MqttCheck.Brokers.Processes;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Rights;

/// <summary>
/// The rights that a check of the standard needs. It judges whatever the broker does at each quality of service, so a
/// limit is something to be told. A broker that lets no message through at all is nothing that can be checked.
/// </summary>
internal static class CheckRights
{
    /// <summary>Refuses a check whose messages reach nobody.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="version">The version that is checked.</param>
    /// <param name="token">The beginning of topics behind the broker's prefix, and of client identifiers.</param>
    /// <param name="warn">Told of what the broker denies beside that.</param>
    /// <param name="cancellation">Gives up, without a refusal.</param>
    /// <exception cref="BrokerException">No message comes through.</exception>
    public static void Require(
        IBrokerUnderTest broker,
        ProtocolVersion version,
        string token,
        Action<string> warn,
        CancellationToken cancellation
    )
    {
        var topic = $"{broker.TopicPrefix}{token}/a";
        var all = new UsedTopics
        {
            Endpoints = broker.Endpoints,
            Credentials = broker.Credentials,
            Version = version,
            ClientId = token + "rights",
            Topics = [(topic, topic)],
            Published = Enum.GetValues<QualityOfService>(),
            Subscribed = Enum.GetValues<QualityOfService>(),
            Retains = true,
            Everything = broker.TopicPrefix + "#",
        };
        if (RightsProbe.Find(all, cancellation) is not { } denial)
            return;
        // The check itself judges a broker that does not answer.
        if (!denial.IsSilence)
            RightsProbe.Require(
                all with
                {
                    Published = [QualityOfService.AtMostOnce],
                    Subscribed = [QualityOfService.AtMostOnce],
                    Retains = false,
                },
                cancellation
            );
        warn($"{denial.Found(all)} What follows may be due to that.");
    }
}
