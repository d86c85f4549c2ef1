using MqttCheck.App.Runs;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Cli.Options;

/// <summary>
/// The values of <c>compare --clients</c>: how many clients, and which MQTT clients to compare with each other.
/// </summary>
/// <param name="Counts">The numbers of clients, none for the default.</param>
/// <param name="Kinds">The MQTT clients to compare, none for one of them.</param>
internal sealed record ComparedClients(IReadOnlyList<int> Counts, IReadOnlyList<string> Kinds)
{
    /// <summary>The same broker once for each client, by names that tell them apart.</summary>
    public static IEnumerable<KeyValuePair<string, BrokerChoice>> With(
        string label,
        BrokerChoice choice,
        IReadOnlyList<ClientKind> clients
    )
    {
        return clients.Select(client =>
            KeyValuePair.Create(clients.Count == 1 ? label : $"{label}/{client.Name}", choice with { Client = client })
        );
    }
}
