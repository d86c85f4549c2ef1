using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Rights;

/// <summary>
/// Asks a broker, before a load, whether clients may do what the load does: one client subscribes, publishes at each
/// quality of service, and must get its own messages. A broker that denies a publication of MQTT 3.1.1 usually
/// acknowledges it, so that a load alone would not show the denial.
/// </summary>
internal static class RightsProbe
{
    // A broker that ends a connection now and then does not deny anything.
    private const int Attempts = 4;

    /// <summary>Refuses a fleet that the broker would deny something.</summary>
    /// <param name="setup">The setup of a run.</param>
    /// <param name="cancellation">Gives up, without a refusal.</param>
    /// <param name="isAfterLoad">Whether it has loaded the broker already.</param>
    /// <exception cref="BrokerException">The broker denies something; what, and the next step.</exception>
    public static void Require(FleetSetup setup, CancellationToken cancellation, bool isAfterLoad = false) =>
        Require(UsedTopics.Of(setup) with { IsAfterLoad = isAfterLoad }, cancellation);

    /// <summary>Refuses a load that the broker would deny something.</summary>
    /// <param name="setup">The setup.</param>
    /// <param name="cancellation">Gives up, without a refusal.</param>
    /// <exception cref="BrokerException">The broker denies something; what, and the next step.</exception>
    public static void Require(LoadSetup setup, CancellationToken cancellation) =>
        Require(UsedTopics.Of(setup), cancellation);

    /// <summary>Refuses what the broker would deny.</summary>
    /// <param name="used">The topics that clients are going to use.</param>
    /// <param name="cancellation">Gives up, without a refusal.</param>
    /// <exception cref="BrokerException">The broker denies something; what, and the next step.</exception>
    public static void Require(UsedTopics used, CancellationToken cancellation)
    {
        if (Find(used, cancellation) is { } denial)
            throw new BrokerException(denial.Describe(used));
    }

    /// <summary>Asks every node.</summary>
    /// <param name="used">The topics that clients are going to use.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>
    /// The first denial. Null where there is none, it was given up, or no client can connect: whoever connects next
    /// reports that.
    /// </returns>
    public static RightsDenial? Find(UsedTopics used, CancellationToken cancellation)
    {
        try
        {
            return used
                .Endpoints.Select(endpoint => Ask(used, endpoint, cancellation))
                .FirstOrDefault(denial => denial is not null);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    private static RightsDenial? Ask(UsedTopics used, WireEndpoint endpoint, CancellationToken cancellation)
    {
        for (var attempt = 1; ; attempt++)
        {
            using var conversation = new RightsConversation(used, endpoint, cancellation);
            var denial = conversation.Hold();
            if (denial is not { IsCut: true } || attempt == Attempts)
                return denial;
        }
    }
}
